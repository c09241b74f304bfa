// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/base/options/field_builder.h"
#include "core/optim/moment_kernels.h"
#include "core/optim/optimizer.h"

namespace fathom {

namespace {

// Fairseq: s = lr sqrt(1-b2^t)/(1-b1^t); p -= s m/(sqrt(v) + eps). Plain: eps is added to the bias-corrected
// root (PyTorch's built-in). Decoupled decay before the step (PyTorch, fairseq) or after it (transformers'
// AdamW, which ReClor's code uses): p <- (p - step) (1 - rate decay).
class Adam : public Optimizer {
 public:
  Adam(std::vector<OptimizerParameter> parameters, double beta1, double beta2, double eps, bool correctedRoot,
       bool decayAfter)
      : Optimizer(std::move(parameters)),
        m_beta1(beta1),
        m_beta2(beta2),
        m_eps(eps),
        m_correctedRoot(correctedRoot),
        m_decayAfter(decayAfter) {}

 protected:
  MomentUpdate rates(const OptimizerParameter& parameter, std::int64_t t, double rate,
                     double gradientScale) const override {
    const auto steps = static_cast<double>(t);
    const double root = std::sqrt(1 - std::pow(m_beta2, steps));
    MomentUpdate u;
    u.beta1 = m_beta1;
    u.beta2 = m_beta2;
    u.eps = m_eps;
    u.gradientScale = gradientScale;
    u.decay = 1 - rate * parameter.weightDecay;
    u.rootScale = m_correctedRoot ? root : 1;
    u.stepSize = rate * (m_correctedRoot ? 1 : root) / (1 - std::pow(m_beta1, steps));
    if (m_decayAfter) u.stepSize *= u.decay;
    return u;
  }

 private:
  double m_beta1, m_beta2, m_eps;
  bool m_correctedRoot, m_decayAfter;
};

std::vector<OptionField> adamFields() {
  return {choiceField(
              "optimizer.adam.eps_place", "Place of ε",
              "Added to the uncorrected root (fairseq) or to the bias-corrected root (PyTorch, DT-Fixup).",
              {{"fairseq", "Uncorrected root"}, {"plain", "Corrected root"}})
              .reference("Adam, algorithm 1; fairseq, adam"),
          choiceField("optimizer.adam.decay_place", "Place of the decay",
                      "Weights decay before the step, or after it with the step (transformers' AdamW).",
                      {{"before", "Before the step"}, {"after", "After the step"}})
              .reference("transformers, AdamW")};
}

}  // namespace

OptimizerEntry adamEntry() {
  return {.id = "adam",
          .title = "Adam",
          .reference = "Kingma & Ba 2015",
          .fields = adamFields,
          .make = [](const OptionValues& options,
                     std::vector<OptimizerParameter> parameters) -> std::unique_ptr<Optimizer> {
            return std::make_unique<Adam>(std::move(parameters), options.real("optimizer.beta1"),
                                          options.real("optimizer.beta2"), options.real("optimizer.eps"),
                                          options.text("optimizer.adam.eps_place") == "plain",
                                          options.text("optimizer.adam.decay_place") == "after");
          }};
}

}  // namespace fathom
