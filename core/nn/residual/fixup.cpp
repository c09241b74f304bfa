// SPDX-License-Identifier: Apache-2.0
#include "core/nn/residual/residual_scheme.h"

namespace fathom {

namespace {

// FixUp for Transformers (docs/residual_schemes.md §6): no layer norm, no biases; scalar shifts (from 0)
// before each linear stage, scalar scale (from 1) on each branch: x_i = x_{i-1} + scale f_i(x_{i-1} - shift).
// The shift of cross attention acts on the query stream only.
class FixupSublayer : public ResidualSublayer {
 public:
  FixupSublayer(torch::Tensor shift, torch::Tensor scale, BranchShifts inner)
      : m_shift(std::move(shift)), m_scale(std::move(scale)), m_inner(std::move(inner)) {}
  torch::Tensor branchInput(const torch::Tensor& x) const override { return x - m_shift; }
  torch::Tensor join(const torch::Tensor& x, const torch::Tensor& branch) const override {
    return at::addcmul(x, branch, m_scale);
  }
  BranchShifts shifts() const override { return m_inner; }
  ResidualTerms terms() const override { return {{}, m_scale, nullptr}; }

 private:
  torch::Tensor m_shift, m_scale;  // [1]
  BranchShifts m_inner;
};

class Fixup : public ResidualScheme {
 public:
  Fixup(ParameterStore& store, const StackSetup& stack) : ResidualScheme(stack) {
    fillSublayers([&](std::int64_t l, std::int64_t s) {
      const auto scalar = [&](const char* suffix, double value) {
        ParameterInfo info = parameterAt(l, s, ParameterRole::Scheme);
        info.name += suffix;
        return store.add(info, {1}, value);
      };
      BranchShifts inner;
      torch::Tensor shift = scalar(".shift", 0);
      if (stack.sublayers[static_cast<std::size_t>(s)] == SublayerKind::FeedForward) {
        inner.hidden = scalar(".hidden_shift", 0);
        inner.output = scalar(".output_shift", 0);
      }
      return std::make_unique<FixupSublayer>(std::move(shift), scalar(".scale", 1), std::move(inner));
    });
    m_shift = store.add(parameterOfStack("shift", ParameterRole::Scheme), {1}, 0);
    m_scale = store.add(parameterOfStack("scale", ParameterRole::Scheme), {1}, 1);
  }
  torch::Tensor exit(const torch::Tensor& x) const override { return (x - m_shift) * m_scale; }
  bool branchBiases() const override { return false; }

 private:
  torch::Tensor m_shift, m_scale;  // [1], after the stack
};

}  // namespace

ResidualEntry fixupEntry() {
  return {.id = "fixup",
          .title = "FixUp",
          .reference = "Zhang et al. 2019, FixUp",
          .paperInit = "fixup",
          .normalised = false,
          .depthIndependent = false,
          .make = makeScheme<Fixup>};
}

}  // namespace fathom
