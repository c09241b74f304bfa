// SPDX-License-Identifier: Apache-2.0
#include "core/optim/radam.h"

#include <cmath>

#include "core/base/options/field_builder.h"
#include "core/optim/moment_kernels.h"
#include "core/optim/optimizer.h"

namespace fathom {

double radamRho(double beta2, std::int64_t t) {
  const double power = std::pow(beta2, static_cast<double>(t));
  return 2 / (1 - beta2) - 1 - 2 * static_cast<double>(t) * power / (1 - power);
}

double radamRectifier(double beta2, std::int64_t t, double threshold) {
  const double rho = radamRho(beta2, t);
  const double limit = 2 / (1 - beta2) - 1;
  if (rho < threshold) return 0;
  return std::sqrt((rho - 4) * (rho - 2) * limit / ((limit - 4) * (limit - 2) * rho));
}

namespace {

// RAdam as in the NMT recipes: no update at all while rho is below the threshold, eps on the uncorrected
// root, decoupled decay of every parameter. `decayAlways`: decay also while there is no step (NMT plug-in).
class RAdam : public Optimizer {
 public:
  RAdam(std::vector<OptimizerParameter> parameters, double beta1, double beta2, double eps, double threshold,
        bool decayAlways)
      : Optimizer(std::move(parameters)),
        m_beta1(beta1),
        m_beta2(beta2),
        m_eps(eps),
        m_threshold(threshold),
        m_decayAlways(decayAlways) {}

 protected:
  MomentUpdate rates(const OptimizerParameter& parameter, std::int64_t t, double rate,
                     double gradientScale) const override {
    const double rectifier = radamRectifier(m_beta2, t, m_threshold);
    const auto steps = static_cast<double>(t);
    MomentUpdate u;
    u.beta1 = m_beta1;
    u.beta2 = m_beta2;
    u.eps = m_eps;
    u.gradientScale = gradientScale;
    u.stepSize = rate * rectifier * std::sqrt(1 - std::pow(m_beta2, steps)) / (1 - std::pow(m_beta1, steps));
    if (m_decayAlways || rectifier > 0) u.decay = 1 - rate * parameter.weightDecay;
    return u;
  }

 private:
  double m_beta1, m_beta2, m_eps, m_threshold;
  bool m_decayAlways;
};

std::vector<OptionField> radamFields() {
  return {choiceField("optimizer.radam.variant", "Weight decay while waiting",
                      "Whether weight decay acts during the first updates, in which RAdam does not step.",
                      {{"tc", "Always (NMT plug-in)"}, {"ra", "Only with a step (original)"}})
              .reference("RAdam, algorithm 2; Transformer-Clinic, radam_fairseq"),
          realField("optimizer.radam.threshold", "Threshold on ρ",
                    "No step below this effective length; released code 5, paper 4.", 5.0)
              .between(4, 1000)
              .reference("RAdam §5.3")};
}

}  // namespace

OptimizerEntry radamEntry() {
  return {.id = "radam",
          .title = "RAdam",
          .reference = "Liu et al. 2020, RAdam",
          .fields = radamFields,
          .make = [](const OptionValues& options,
                     std::vector<OptimizerParameter> parameters) -> std::unique_ptr<Optimizer> {
            return std::make_unique<RAdam>(std::move(parameters), options.real("optimizer.beta1"),
                                           options.real("optimizer.beta2"), options.real("optimizer.eps"),
                                           options.real("optimizer.radam.threshold"),
                                           options.text("optimizer.radam.variant") == "tc");
          }};
}

}  // namespace fathom
