// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device_softmax.h"

#include <c10/core/DeviceGuard.h>

#include "core/kernels/chain_softmax.h"
#include "core/kernels/device_address.h"
#include "core/kernels/handed_seeds.h"
#include "core/kernels/kernel_entry.h"
#include "core/kernels/launch_pass.h"

namespace fathom {

namespace {

ChainSoftmaxCall softmaxCall(const torch::Tensor& probabilities, const DeviceSoftmax& how) {
  ChainSoftmaxCall call;
  call.format = *numberFormatOf(probabilities.scalar_type());
  call.batch = probabilities.size(0);
  call.heads = probabilities.size(1);
  call.queries = probabilities.size(2);
  call.keys = probabilities.size(3);
  call.divisor = how.divisor;
  if (how.hidden.defined()) {
    call.hidden = static_cast<const std::uint8_t*>(deviceAddress(how.hidden));
    call.hiddenQueryStride = how.hidden.size(2) > 1 ? call.keys : 0;
    call.hiddenBatchStride = how.hidden.size(0) > 1 ? how.hidden.size(2) * call.keys : 0;
  }
  call.causal = how.causal;
  call.replaces = how.replaces;
  call.masked = how.masked;
  if (how.dropout > 0) call.mask = deviceMask(how.dropout, how.seed);
  call.wideScale = 1 / (1 - how.dropout);
  call.probabilities = deviceAddress(probabilities);
  return call;
}

}  // namespace

DeviceProbabilities deviceSoftmax(const torch::Tensor& scores, const DeviceSoftmax& how) {
  const c10::DeviceGuard guard(scores.device());
  DeviceProbabilities made;
  made.all = at::empty(scores.sizes(), scores.options().dtype(how.probabilities));
  made.kept = how.dropout > 0 ? at::empty_like(made.all) : made.all;
  ChainSoftmaxCall call = softmaxCall(made.all, how);
  call.scores = deviceAddress(scores);
  if (how.dropout > 0) call.kept = deviceAddress(made.kept);
  launchPass(kChainSoftmaxPass, scores.device(), call);
  return made;
}

torch::Tensor deviceSoftmaxBackward(const torch::Tensor& probabilities, const torch::Tensor& keptGradient,
                                    const torch::Tensor& running, const DeviceSoftmax& how) {
  const c10::DeviceGuard guard(probabilities.device());
  const auto wide = torch::promoteTypes(probabilities.scalar_type(), torch::kFloat32);
  const torch::Tensor sum =
      running.defined() ? running : at::empty(probabilities.sizes(), probabilities.options().dtype(wide));
  const ChainSoftmaxGradients gradients{deviceAddress(keptGradient), deviceAddress(sum), running.defined()};
  launchPass(kChainSoftmaxBackwardPass, probabilities.device(), softmaxCall(probabilities, how), gradients);
  return sum;
}

KernelEntry deviceSoftmaxEntry() {
  return {"chain_softmax",
          "Mask, softmax and dropout of a score chain",
          kChainSoftmax,
          {kChainSoftmaxPass.facts(), kChainSoftmaxBackwardPass.facts()}};
}

}  // namespace fathom
