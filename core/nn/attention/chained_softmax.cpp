// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/chained_softmax.h"

#include <torch/csrc/autograd/custom_function.h>

#include <limits>
#include <optional>

#include "core/kernels/device_softmax.h"

namespace fathom {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::size_t kHolders = 2;  // of a gradient that nobody else reads: autograd's list and one here

double maskedValue(MaskStyle style) {
  switch (style) {
    case MaskStyle::MinusInfinity:
      return -std::numeric_limits<double>::infinity();
    case MaskStyle::AddMinus10000:
      return -10000;
    case MaskStyle::SetMinus1e9:
      return -1e9;
  }
  return 0;
}

// Whether nobody else reads this gradient or a view of it.
bool mayChange(const torch::Tensor& running) {
  return running.use_count() <= kHolders && running.storage().use_count() == 1 && running.is_contiguous();
}

class ChainedSoftmaxFunction : public torch::autograd::Function<ChainedSoftmaxFunction> {
 public:
  static variable_list forward(AutogradContext* ctx, const torch::Tensor& scores, const DeviceSoftmax& how) {
    ctx->set_materialize_grads(false);
    const DeviceProbabilities made = deviceSoftmax(scores, how);
    ctx->save_for_backward({made.all, how.hidden});
    ctx->saved_data["divisor"] = how.divisor;
    ctx->saved_data["causal"] = how.causal;
    ctx->saved_data["replaces"] = how.replaces;
    ctx->saved_data["masked"] = how.masked;
    ctx->saved_data["dropout"] = how.dropout;
    ctx->saved_data["seed"] = static_cast<std::int64_t>(how.seed);
    return {made.kept, scores};
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const torch::Tensor &ofKept = gradients[0], &ofChain = gradients[1];
    if (!ofKept.defined()) return {ofChain, {}};
    const variable_list saved = ctx->get_saved_variables();
    DeviceSoftmax how;
    how.divisor = ctx->saved_data["divisor"].toDouble();
    how.hidden = saved[1];
    how.causal = ctx->saved_data["causal"].toBool();
    how.replaces = ctx->saved_data["replaces"].toBool();
    how.masked = ctx->saved_data["masked"].toDouble();
    how.dropout = ctx->saved_data["dropout"].toDouble();
    how.seed = static_cast<std::uint64_t>(ctx->saved_data["seed"].toInt());
    torch::Tensor running = ofChain;
    if (running.defined() && !mayChange(running)) running = running.clone(at::MemoryFormat::Contiguous);
    return {deviceSoftmaxBackward(saved[0], ofKept.contiguous(), running, how), {}};
  }
};

// bfloat16 goes into the product with the values; LibTorch's operations would make it of float32.
torch::ScalarType formatOfProbabilities(const torch::Tensor& scores) {
  const bool narrow = mixedFormat(scores.device()) == torch::kBFloat16;
  return narrow && scores.scalar_type() == torch::kFloat32 ? torch::kBFloat16 : scores.scalar_type();
}

}  // namespace

double chainDivisor(ScoreChain kind, std::int64_t layer) {
  return kind == ScoreChain::Mean ? static_cast<double>(layer + 1) : 1;
}

bool chainedSoftmaxFits(const torch::Tensor& scores, const AttentionMask& mask) {
  if (scores.dim() != 4 || wayOf(kChainSoftmax, scores) != KernelWay::Plugin) return false;
  const torch::Tensor& hidden = mask.blocked;
  return !hidden.defined() || (hidden.dim() == 4 && hidden.size(1) == 1 && hidden.size(3) == scores.size(3) &&
                               (hidden.size(0) == 1 || hidden.size(0) == scores.size(0)) &&
                               (hidden.size(2) == 1 || hidden.size(2) == scores.size(2)));
}

KeptProbabilities chainedSoftmax(const torch::Tensor& scores, const AttentionMask& mask,
                                 const ChainedSoftmax& how) {
  DeviceSoftmax call;
  call.divisor = how.divisor;
  call.causal = mask.causal && scores.size(2) == scores.size(3);
  if (mask.blocked.defined() && !call.causal) call.hidden = mask.blocked.contiguous();
  call.replaces = mask.style == MaskStyle::SetMinus1e9;
  call.masked = maskedValue(mask.style);
  call.dropout = how.dropout;
  call.seed = how.seed;
  call.probabilities = formatOfProbabilities(scores);
  const variable_list made = ChainedSoftmaxFunction::apply(scores.contiguous(), call);
  return {made[0], made[1]};
}

}  // namespace fathom
