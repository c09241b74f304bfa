// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/feed_forward.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "core/base/errors/error.h"
#include "core/kernels/kernel_way.h"
#include "core/kernels/mask_bits.h"
#include "core/nn/dropout.h"
#include "core/nn/parallel_for.h"
#include "core/nn/vector_clones.h"

namespace fathom {

torch::Tensor activate(const torch::Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::Relu:
      return at::relu(x);
    case Activation::GeluErf:
      return at::gelu(x);
    case Activation::GeluTanh:
      break;
  }
  return at::gelu(x, "tanh");
}

namespace {
torch::Tensor linearRows(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias) {
  return bias.defined() ? at::addmm(bias, x, weight.t()) : at::mm(x, weight.t());
}
}  // namespace

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

FATHOM_VECTOR_CLONES void activateRow(float* __restrict__ h, const float* __restrict__ bias,
                                      std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) h[i] = std::max(h[i] + bias[i], 0.0f);
}

// The same with the dropout mask of entries [first, first + count).
FATHOM_VECTOR_CLONES void activateMaskedRow(float* __restrict__ h, const float* __restrict__ bias,
                                            std::int64_t count, std::uint64_t first, const MaskRule& rule) {
  const std::uint32_t key = rule.key(first), start = static_cast<std::uint32_t>(first);
  const std::uint32_t threshold = rule.threshold, high = rule.high;
  const float scale = rule.scale;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t bits = mixBits(mixBits((start + static_cast<std::uint32_t>(i)) ^ key) + high);
    h[i] = std::max(h[i] + bias[i], 0.0f) * (bits >= threshold ? scale : 0.0f);
  }
}

// gradient *= h > 0 ? scale : 0; what was dropped or not activated is 0 in h.
FATHOM_VECTOR_CLONES void passActive(float* __restrict__ gradient, const float* __restrict__ h,
                                     std::int64_t count, float scale) {
  for (std::int64_t i = 0; i < count; ++i) gradient[i] *= h[i] > 0 ? scale : 0.0f;  // vectorises as a product
}

// W2 drop(relu(W1 x + b1)) + b2 on rows [N, d], float32 on the CPU: bias, activation and dropout are one pass
// over the hidden rows each way.
class FeedForwardFunction : public torch::autograd::Function<FeedForwardFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& x, const torch::Tensor& inWeight,
                               const torch::Tensor& inBias, const torch::Tensor& outWeight,
                               const torch::Tensor& outBias, double p, std::int64_t seed) {
    torch::Tensor hidden = at::mm(x, inWeight.t());
    const std::int64_t width = hidden.size(1);
    const MaskRule rule = p > 0 ? MaskRule(p, static_cast<std::uint64_t>(seed)) : MaskRule();
    float* rows = hidden.mutable_data_ptr<float>();
    const float* bias = inBias.const_data_ptr<float>();
    parallelFor(0, hidden.size(0), grain(width), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        if (rule.active())
          activateMaskedRow(rows + row * width, bias, width, static_cast<std::uint64_t>(row * width), rule);
        else
          activateRow(rows + row * width, bias, width);
      }
    });
    ctx->save_for_backward({x, inWeight, hidden, outWeight});
    ctx->saved_data["scale"] = static_cast<double>(rule.scale);
    return at::addmm(outBias, hidden, outWeight.t());
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const variable_list saved = ctx->get_saved_variables();
    const torch::Tensor &x = saved[0], &hidden = saved[2];
    const torch::Tensor gradient = gradients[0].contiguous();
    const auto scale = static_cast<float>(ctx->saved_data["scale"].toDouble());
    const torch::Tensor inner = at::mm(gradient, saved[3]);
    const std::int64_t width = inner.size(1);
    float* rows = inner.mutable_data_ptr<float>();
    const float* active = hidden.const_data_ptr<float>();
    parallelFor(0, inner.size(0), grain(width), [&](std::int64_t begin, std::int64_t end) {
      passActive(rows + begin * width, active + begin * width, (end - begin) * width, scale);
    });
    const torch::Tensor xGradient = ctx->needs_input_grad(0) ? at::mm(inner, saved[1]) : torch::Tensor();
    return {xGradient, at::mm(inner.t(), x), inner.sum(0), at::mm(gradient.t(), hidden), gradient.sum(0), {},
            {}};
  }

 private:
  static std::int64_t grain(std::int64_t width) { return std::max<std::int64_t>(1, 32768 / width); }
};

}  // namespace

FeedForward::FeedForward(ParameterStore& store, const ParameterInfo& where, std::int64_t width,
                         std::int64_t hidden, Activation activation, double dropout, bool biases)
    : m_activation(activation), m_dropout(dropout) {
  const auto named = [&](const char* suffix, ParameterRole role) {
    ParameterInfo info = where;
    info.name += suffix;
    info.role = role;
    return info;
  };
  m_inWeight = store.add(named(".input.weight", ParameterRole::FeedForwardInput), {hidden, width});
  if (biases) m_inBias = store.add(named(".input.bias", ParameterRole::Bias), {hidden});
  m_outWeight = store.add(named(".output.weight", ParameterRole::FeedForwardOutput), {width, hidden});
  if (biases) m_outBias = store.add(named(".output.bias", ParameterRole::Bias), {width});
}

torch::Tensor FeedForward::forward(const torch::Tensor& x, const BranchShifts& shifts,
                                   const SublayerSite& site, const StepContext& context) const {
  if (wayOf(kVectorPass, x) == KernelWay::Lanes && m_activation == Activation::Relu && m_inBias.defined() &&
      !shifts.hidden.defined() && !shifts.output.defined()) {
    return FeedForwardFunction::apply(
               x.reshape({-1, x.size(-1)}), m_inWeight, m_inBias, m_outWeight, m_outBias,
               context.training ? m_dropout : 0.0,
               static_cast<std::int64_t>(dropoutSeed(context, site.name() + ".activation")))
        .view(x.sizes());
  }
  // On a matrix the activation may work in place: the output of a matrix product is saved by nobody.
  torch::Tensor hidden = linearRows(x.reshape({-1, x.size(-1)}), m_inWeight, m_inBias);
  if (shifts.hidden.defined()) hidden = hidden - shifts.hidden;
  hidden = m_activation == Activation::Relu ? hidden.relu_() : activate(hidden, m_activation);
  if (shifts.output.defined()) hidden = hidden - shifts.output;
  if (hidden.scalar_type() != x.scalar_type()) hidden = hidden.to(x.scalar_type());  // mixed precision
  hidden = dropout(hidden, m_dropout, context, site.name() + ".activation");
  return linearRows(hidden, m_outWeight, m_outBias).view(x.sizes());
}

}  // namespace fathom
