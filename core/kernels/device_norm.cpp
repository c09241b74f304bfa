// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device_norm.h"

#include <c10/core/DeviceGuard.h>

#include "core/kernels/device_address.h"
#include "core/kernels/handed_seeds.h"
#include "core/kernels/kernel_entry.h"
#include "core/kernels/launch_pass.h"
#include "core/kernels/norm_join.h"

namespace fathom {

namespace {

NormJoinCall normCall(const DeviceNorm& norm, const DeviceNormSums& sums) {
  NormJoinCall call;
  call.format = *numberFormatOf(norm.x.scalar_type());
  call.width = norm.x.size(-1);
  call.rows = norm.x.numel() / call.width;
  call.x = deviceAddress(norm.x);
  call.shortcut = deviceAddress(norm.shortcut);
  call.branch = deviceAddress(norm.branch);
  if (norm.dropout > 0) call.mask = deviceMask(norm.dropout, norm.seed);
  call.wideScale = 1 / (1 - norm.dropout);
  call.weight = deviceAddress(norm.weight);
  call.bias = deviceAddress(norm.bias);
  call.eps = norm.eps;
  call.sum = deviceAddress(sums.sum);
  call.moments = deviceAddress(sums.moments);
  call.y = deviceAddress(sums.y);
  return call;
}

}  // namespace

DeviceNormSums deviceNorm(const DeviceNorm& norm) {
  const c10::DeviceGuard guard(norm.x.device());
  DeviceNormSums sums;
  sums.y = at::empty_like(norm.x);
  if (norm.branch.defined() || norm.shortcut.defined()) sums.sum = at::empty_like(norm.x);
  sums.moments = at::empty({norm.x.numel() / norm.x.size(-1), 2}, norm.weight.options());
  launchPass(kNormJoinPass, norm.x.device(), normCall(norm, sums));
  return sums;
}

DeviceNormGradients deviceNormBackward(const DeviceNorm& norm, bool withBranch, const DeviceNormSums& sums,
                                       const torch::Tensor& gradient) {
  const c10::DeviceGuard guard(norm.x.device());
  const torch::Tensor given = gradient.contiguous();
  const NormJoinCall call = normCall(norm, sums);
  const torch::TensorOptions wide = norm.weight.options();
  const torch::Tensor rowMeans = at::empty({call.rows, 2}, wide);
  const torch::Tensor shares = at::empty({normJoinShares(call.rows), 3, call.width}, wide);
  DeviceNormGradients made;
  made.x = at::empty_like(norm.x);
  if (withBranch) made.branch = at::empty_like(norm.x);
  made.sums = at::empty({3, call.width}, wide);
  const NormJoinGradients gradients{deviceAddress(given),       deviceAddress(made.x),
                                    deviceAddress(made.branch), deviceAddress(rowMeans),
                                    deviceAddress(shares),      deviceAddress(made.sums)};
  launchPass(kNormJoinBackwardPass, norm.x.device(), call, gradients);
  return made;
}

KernelEntry deviceNormEntry() {
  return {"norm_join",
          "Dropout, shortcut factor, branch and layer norm in one",
          kNormJoin,
          {kNormJoinPass.facts(), kNormJoinBackwardPass.facts()}};
}

}  // namespace fathom
