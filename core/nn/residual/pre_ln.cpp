// SPDX-License-Identifier: Apache-2.0
#include "core/nn/residual/residual_scheme.h"

namespace fathom {

namespace {

// x_i = x_{i-1} + f_i(LN(x_{i-1})), one more LN above the stack (docs/residual_schemes.md §2). Keys and
// values of cross attention read the encoder output as it is.
class PreLnSublayer : public ResidualSublayer {
 public:
  explicit PreLnSublayer(LayerNorm norm) : m_norm(std::move(norm)) {}
  torch::Tensor branchInput(const torch::Tensor& x) const override { return m_norm(x); }
  torch::Tensor join(const torch::Tensor& x, const torch::Tensor& branch) const override {
    return x + branch;
  }
  ResidualTerms terms() const override { return {}; }
  bool plainSum() const override { return true; }

 private:
  LayerNorm m_norm;
};

class PreLn : public ResidualScheme {
 public:
  PreLn(ParameterStore& store, const StackSetup& stack) : ResidualScheme(stack) {
    fillSublayers([&](std::int64_t l, std::int64_t s) {
      return std::make_unique<PreLnSublayer>(sublayerNorm(store, l, s));
    });
    addTopNorm(store);
  }
};

}  // namespace

ResidualEntry preLnEntry() {
  return {.id = "pre_ln",
          .title = "Pre-LN",
          .reference = "Admin §2",
          .paperInit = "xavier",
          .make = makeScheme<PreLn>};
}

}  // namespace fathom
