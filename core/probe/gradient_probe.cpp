// SPDX-License-Identifier: Apache-2.0
#include "core/probe/gradient_probe.h"

#include <torch/csrc/autograd/autograd.h>

namespace fathom {

namespace {
class OutputRecorder : public ForwardObserver {
 public:
  std::vector<SublayerSite> sites;
  std::vector<torch::Tensor> outputs;
  void sublayer(const SublayerRecord& record) override {
    if (!record.output.requires_grad()) return;  // below everything that learns
    sites.push_back(record.site);
    outputs.push_back(record.output);
  }
};
}  // namespace

std::vector<SublayerGradient> probeGradients(const std::function<torch::Tensor(const StepContext&)>& loss,
                                             StepContext context) {
  OutputRecorder recorder;
  context.observer = &recorder;
  const torch::Tensor value = loss(context);
  if (recorder.outputs.empty()) return {};
  // Gradients of the streams themselves: nothing is accumulated into the parameters.
  const auto gradients = torch::autograd::grad({value}, recorder.outputs, {}, std::nullopt, false, true);
  std::vector<SublayerGradient> result;
  for (std::size_t i = 0; i < recorder.sites.size(); ++i) {
    const double norm = gradients[i].defined() ? gradients[i].to(torch::kFloat64).norm().item<double>() : 0;
    result.push_back({recorder.sites[i], norm});
  }
  return result;
}

}  // namespace fathom
