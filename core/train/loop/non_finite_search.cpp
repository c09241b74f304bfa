// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/non_finite_search.h"

namespace fathom {

namespace {

bool finite(const torch::Tensor& tensor) {
  return !tensor.defined() || tensor.isfinite().all().item<bool>();
}

class FiniteObserver final : public ForwardObserver {
 public:
  void stackInput(StackKind stack, const torch::Tensor& x0) override {
    note(x0, std::string(stackName(stack)) + ".input");
  }
  void sublayer(const SublayerRecord& record) override {
    note(record.branchOutput, record.site.name());
    note(record.output, record.site.name());
  }
  void stackOutput(StackKind stack, const torch::Tensor& y) override {
    note(y, std::string(stackName(stack)) + ".output");
  }
  const std::string& found() const { return m_found; }

 private:
  void note(const torch::Tensor& tensor, const std::string& name) {
    if (m_found.empty() && !finite(tensor)) m_found = name;
  }
  std::string m_found;
};

}  // namespace

std::string firstNonFiniteModule(const Model& model, const Objective& objective,
                                 const std::vector<DeviceBatch>& batches,
                                 const std::vector<std::int64_t>& places, const StepContext& context) {
  const torch::NoGradGuard noGrad;
  const ParameterStore& store = model.parameters();
  for (const Parameter& parameter : store.parameters()) {
    if (!finite(store.value(parameter))) return parameter.info.name;
  }
  for (std::size_t i = 0; i < batches.size(); ++i) {
    FiniteObserver observer;
    StepContext again = context;
    again.microBatch = places[i];
    again.observer = &observer;
    const LossTerms terms = objective.forward(model, batches[i], again);
    if (!observer.found().empty()) return observer.found();
    if (!finite(terms.loss)) return "loss";
  }
  const auto& parameters = store.parameters();
  for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
    if (!finite(store.gradient(*parameter))) return parameter->info.name;
  }
  return {};
}

}  // namespace fathom
