// SPDX-License-Identifier: Apache-2.0
#include "core/nn/residual/residual_scheme.h"

namespace fathom {

namespace {

// x_i = x_{i-1} + f_i without any layer norm: T-Fixup and DT-Fixup (docs/residual_schemes.md §8).
class PlainSublayer : public ResidualSublayer {
 public:
  torch::Tensor join(const torch::Tensor& x, const torch::Tensor& branch) const override {
    return x + branch;
  }
  ResidualTerms terms() const override { return {}; }
  bool plainSum() const override { return true; }
};

class Unnormalised : public ResidualScheme {
 public:
  explicit Unnormalised(const StackSetup& stack) : ResidualScheme(stack) {
    fillSublayers([](std::int64_t, std::int64_t) { return std::make_unique<PlainSublayer>(); });
  }
};

}  // namespace

ResidualEntry unnormalisedEntry() {
  return {.id = "unnormalised",
          .title = "Unnormalised",
          .reference = "Huang et al. 2020, T-Fixup; DT-Fixup §3",
          .paperInit = "t_fixup",
          .normalised = false,
          .make = [](ParameterStore&, const StackSetup& setup, const OptionValues&)
              -> std::unique_ptr<ResidualScheme> { return std::make_unique<Unnormalised>(setup); }};
}

}  // namespace fathom
