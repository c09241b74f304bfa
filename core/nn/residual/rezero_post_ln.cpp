// SPDX-License-Identifier: Apache-2.0
#include "core/nn/residual/residual_scheme.h"

namespace fathom {

namespace {

// x_i = LN(x_{i-1} + alpha f_i), one alpha per layer, initially 0 (Admin §5.1; docs/residual_schemes.md §5).
class RezeroPostLnSublayer : public ResidualSublayer {
 public:
  RezeroPostLnSublayer(LayerNorm norm, torch::Tensor alpha)
      : m_norm(std::move(norm)), m_alpha(std::move(alpha)) {}
  torch::Tensor join(const torch::Tensor& x, const torch::Tensor& branch) const override {
    return m_norm(at::addcmul(x, branch, m_alpha));
  }
  ResidualTerms terms() const override { return {{}, m_alpha, &m_norm}; }

 private:
  LayerNorm m_norm;
  torch::Tensor m_alpha;  // [1]
};

class RezeroPostLn : public ResidualScheme {
 public:
  RezeroPostLn(ParameterStore& store, const StackSetup& stack) : ResidualScheme(stack) {
    torch::Tensor alpha;
    fillSublayers([&](std::int64_t l, std::int64_t s) {
      if (s == 0) alpha = store.add(layerParameter(l, "alpha"), {1}, 0);
      return std::make_unique<RezeroPostLnSublayer>(sublayerNorm(store, l, s), alpha);
    });
  }
};

}  // namespace

ResidualEntry rezeroPostLnEntry() {
  return {.id = "rezero_post_ln",
          .title = "ReZero + Post-LN",
          .reference = "Admin §5.1",
          .paperInit = "xavier",
          .make = makeScheme<RezeroPostLn>};
}

}  // namespace fathom
