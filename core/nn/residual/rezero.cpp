// SPDX-License-Identifier: Apache-2.0
#include "core/nn/residual/residual_scheme.h"

namespace fathom {

namespace {

// x_i = x_{i-1} + alpha f_i, one alpha per layer shared by its sub-layers, initially 0; no layer norm
// anywhere (ReZero; docs/residual_schemes.md §5). At the start only alpha and the tables get a gradient.
class RezeroSublayer : public ResidualSublayer {
 public:
  explicit RezeroSublayer(torch::Tensor alpha) : m_alpha(std::move(alpha)) {}
  torch::Tensor join(const torch::Tensor& x, const torch::Tensor& branch) const override {
    return at::addcmul(x, branch, m_alpha);
  }
  ResidualTerms terms() const override { return {{}, m_alpha, nullptr}; }

 private:
  torch::Tensor m_alpha;  // [1]
};

class Rezero : public ResidualScheme {
 public:
  Rezero(ParameterStore& store, const StackSetup& stack) : ResidualScheme(stack) {
    torch::Tensor alpha;
    fillSublayers([&](std::int64_t l, std::int64_t s) {
      if (s == 0) alpha = store.add(layerParameter(l, "alpha"), {1}, 0);
      return std::make_unique<RezeroSublayer>(alpha);
    });
  }
};

}  // namespace

ResidualEntry rezeroEntry() {
  return {.id = "rezero",
          .title = "ReZero",
          .reference = "Bachlechner et al. 2020",
          .paperInit = "xavier",
          .normalised = false,
          .make = makeScheme<Rezero>};
}

}  // namespace fathom
