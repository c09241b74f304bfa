// SPDX-License-Identifier: Apache-2.0
#include "core/nn/residual/residual_scheme.h"

namespace fathom {

namespace {

// x_i = LN(x_{i-1} + f_i) (docs/residual_schemes.md §2); a relational stack ends with one more LN.
class PostLnSublayer : public ResidualSublayer {
 public:
  explicit PostLnSublayer(LayerNorm norm) : m_norm(std::move(norm)) {}
  torch::Tensor join(const torch::Tensor& x, const torch::Tensor& branch) const override {
    return m_norm(x + branch);
  }
  ResidualTerms terms() const override { return {{}, {}, &m_norm}; }
  bool plainSum() const override { return true; }
  torch::Tensor finish(const torch::Tensor& sum) const override { return m_norm(sum); }

 private:
  LayerNorm m_norm;
};

class PostLn : public ResidualScheme {
 public:
  PostLn(ParameterStore& store, const StackSetup& stack) : ResidualScheme(stack) {
    fillSublayers([&](std::int64_t l, std::int64_t s) {
      return std::make_unique<PostLnSublayer>(sublayerNorm(store, l, s));
    });
    if (stack.finalNorm) addTopNorm(store);
  }
};

}  // namespace

ResidualEntry postLnEntry() {
  return {.id = "post_ln",
          .title = "Post-LN",
          .reference = "Vaswani et al. 2017; Admin §2",
          .paperInit = "xavier",
          .make = makeScheme<PostLn>};
}

}  // namespace fathom
