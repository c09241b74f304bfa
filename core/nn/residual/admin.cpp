// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <cmath>

#include "core/base/options/field_builder.h"
#include "core/nn/residual/residual_scheme.h"

namespace fathom {

namespace {

// x_i = LN(x_{i-1} * omega_i + f_i), omega_i a vector whose entries start equal (Admin §4.3,
// docs/residual_schemes.md §3).
class AdminSublayer : public ResidualSublayer {
 public:
  AdminSublayer(LayerNorm norm, torch::Tensor omega) : m_norm(std::move(norm)), m_omega(std::move(omega)) {}
  torch::Tensor join(const torch::Tensor& x, const torch::Tensor& branch) const override {
    return m_norm(at::addcmul(branch, x, m_omega));
  }
  ResidualTerms terms() const override { return {m_omega, {}, &m_norm}; }

 private:
  LayerNorm m_norm;
  torch::Tensor m_omega;  // [d]
};

// omega without a profile pass, for output change O(log n), O(n), O(1); n = sub-layers of the stack
// (admin-torch).
double formulaOmega(const std::string& rule, double n) {
  if (rule == "output_log") return std::sqrt((n + 1) / std::log(n + 1) - 1);
  if (rule == "output_constant") return std::sqrt(n);
  return 1;
}

class Admin : public ResidualScheme {
 public:
  Admin(ParameterStore& store, const StackSetup& stack, const OptionValues& options) : ResidualScheme(stack) {
    const std::string prefix = std::string(stackOptions(stack.kind)) + ".residual.admin.";
    const bool trainable = options.flag(prefix + "trainable");
    const double count = static_cast<double>(stack.layers()) * static_cast<double>(stack.sublayers.size());
    const double start = formulaOmega(options.text(prefix + "omega"), count);
    fillSublayers([&](std::int64_t l, std::int64_t s) {
      LayerNorm norm = sublayerNorm(store, l, s);
      ParameterInfo info = parameterAt(l, s, ParameterRole::Scheme);
      info.name += ".omega";
      torch::Tensor omega = store.add(info, {stack.width}, start);
      if (!trainable) omega.requires_grad_(false);
      return std::make_unique<AdminSublayer>(std::move(norm), std::move(omega));
    });
    if (stack.finalNorm) addTopNorm(store);
  }
};

std::vector<OptionField> adminFields(const std::string& prefix) {
  const std::string key = prefix + ".residual.admin.";
  std::string stack = prefix;
  stack[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(stack[0])));
  return {
      choiceField(key + "omega", stack + " shortcut factor ω",
                  "How ω gets its first value: measured in a profile pass, or by a formula of the depth.",
                  {{"profile", "Profile pass"},
                   {"output_log", "Formula, output change O(log n)"},
                   {"output_linear", "1, output change O(n)"},
                   {"output_constant", "√n, output change O(1)"}})
          .reference("Admin §4.3")
          .group("Model"),
      flagField(key + "trainable", stack + " ω is trained",
                "Whether ω is trained like other parameters; keeping it fixed gives about the same result.",
                true)
          .reference("Admin §4.3")
          .group("Model"),
      integerField(key + "profile_batches", stack + " profile batches",
                   "Training batches the profile pass measures variances on; the released code uses one.", 1)
          .unit("batches")
          .between(1, 1000)
          .reference("Admin §4.3")
          .group("Model")
          .when(key + "omega", {"profile"}),
      choiceField(key + "profile_rule", stack + " profile rule",
                  "Released code: ω₁ = 1 and Var x₀ is added, set while profiling. Paper: √ of the sum of "
                  "earlier branch "
                  "variances, measured with every ω = 1 (first ω 0).",
                  {{"code", "Released code"}, {"paper", "Paper's formula"}})
          .reference("Admin §4.3")
          .group("Model")
          .when(key + "omega", {"profile"})};
}

}  // namespace

ResidualEntry adminEntry() {
  return {.id = "admin",
          .title = "Admin",
          .reference = "Liu et al. 2020, Admin §4.3",
          .paperInit = "admin_profile",
          .fields = adminFields,
          .make = [](ParameterStore& store, const StackSetup& setup, const OptionValues& options)
              -> std::unique_ptr<ResidualScheme> { return std::make_unique<Admin>(store, setup, options); },
          .looksAtDepth =
              [](const std::string& prefix, const OptionValues& options) {
                const std::string omega = options.text(prefix + ".residual.admin.omega");
                return omega == "output_log" || omega == "output_constant";
              }};
}

}  // namespace fathom
