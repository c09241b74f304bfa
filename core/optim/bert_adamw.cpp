// SPDX-License-Identifier: Apache-2.0
#include "core/optim/moment_kernels.h"
#include "core/optim/optimizer.h"

namespace fathom {

namespace {

// BERT's AdamW (docs/optimisers.md §3): no bias correction; u = m/(sqrt(v) + eps) + wd p; p -= lr u. The
// first update is lr (1-b1)/sqrt(1-b2) = 3.16 lr for betas (.9, .999).
class BertAdamW : public Optimizer {
 public:
  BertAdamW(std::vector<OptimizerParameter> parameters, double beta1, double beta2, double eps)
      : Optimizer(std::move(parameters)), m_beta1(beta1), m_beta2(beta2), m_eps(eps) {}

 protected:
  MomentUpdate rates(const OptimizerParameter& parameter, std::int64_t, double rate,
                     double gradientScale) const override {
    MomentUpdate u;
    u.beta1 = m_beta1;
    u.beta2 = m_beta2;
    u.eps = m_eps;
    u.gradientScale = gradientScale;
    u.stepSize = rate;
    u.addedDecay = parameter.weightDecay;
    return u;
  }

 private:
  double m_beta1, m_beta2, m_eps;
};

}  // namespace

OptimizerEntry bertAdamwEntry() {
  return {.id = "bert_adamw",
          .title = "BERT AdamW",
          .reference = "Devlin et al. 2019",
          .make = [](const OptionValues& options,
                     std::vector<OptimizerParameter> parameters) -> std::unique_ptr<Optimizer> {
            return std::make_unique<BertAdamW>(std::move(parameters), options.real("optimizer.beta1"),
                                               options.real("optimizer.beta2"),
                                               options.real("optimizer.eps"));
          }};
}

}  // namespace fathom
