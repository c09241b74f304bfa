// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/nn/residual/residual_scheme.h"

namespace fathom {

namespace {

// x_i = LN(alpha x_{i-1} + f_i) with a constant alpha of the depths of both stacks, cross attention included
// (DeepNet; docs/residual_schemes.md §7).
class DeepnetSublayer : public ResidualSublayer {
 public:
  DeepnetSublayer(LayerNorm norm, double alpha, const torch::TensorOptions& tensors)
      : m_norm(std::move(norm)), m_alpha(alpha), m_shortcut(at::full({1}, alpha, tensors)) {}
  torch::Tensor join(const torch::Tensor& x, const torch::Tensor& branch) const override {
    return m_norm(at::add(branch, x, m_alpha));
  }
  ResidualTerms terms() const override { return {m_shortcut, {}, &m_norm}; }

 private:
  LayerNorm m_norm;
  double m_alpha;
  torch::Tensor m_shortcut;  // [1], the same number for the recursion
};

// A stack alone has the published encoder-only (decoder-only) constants (2N)^{1/4}.
double deepnetAlpha(const StackSetup& setup) {
  const auto encoder = static_cast<double>(setup.encoderLayers),
             decoder = static_cast<double>(setup.decoderLayers);
  if (setup.encoderLayers == 0 || setup.decoderLayers == 0) return std::pow(2 * (encoder + decoder), 0.25);
  if (setup.kind == StackKind::Decoder) return std::pow(3 * decoder, 0.25);
  return 0.81 * std::pow(std::pow(encoder, 4) * decoder, 1.0 / 16);
}

class Deepnet : public ResidualScheme {
 public:
  Deepnet(ParameterStore& store, const StackSetup& stack) : ResidualScheme(stack) {
    const double alpha = deepnetAlpha(stack);
    fillSublayers([&](std::int64_t l, std::int64_t s) {
      return std::make_unique<DeepnetSublayer>(sublayerNorm(store, l, s), alpha, store.options());
    });
  }
};

}  // namespace

ResidualEntry deepnetEntry() {
  return {.id = "deepnet",
          .title = "DeepNet",
          .reference = "Wang et al. 2022, DeepNet",
          .paperInit = "deepnet",
          .depthIndependent = false,
          .make = makeScheme<Deepnet>};
}

}  // namespace fathom
