// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/nn/models/bert.h"
#include "core/nn/models/encoder_decoder.h"
#include "tests/torch/support_tensors.h"

namespace fathom::fixtures {

// Collects activations under the names of the layers fixtures.
class ActivationRecorder : public ForwardObserver {
 public:
  bool wantsAttention() const override { return true; }
  void stackInput(StackKind stack, const torch::Tensor& x) override;
  void stackOutput(StackKind stack, const torch::Tensor& y) override;
  void sublayer(const SublayerRecord& record) override;
  void attention(const AttentionRecord& record) override;
  std::map<std::string, torch::Tensor> values;
};

// Empty when this program has what the case needs, else what is missing.
std::string missingFor(const Json& configuration);

// Float64 model of an encoder_decoder case with the case's parameters; chain overrides the configuration's.
std::unique_ptr<EncoderDecoder> translationModel(const TensorCase& layerCase, const std::string& chain,
                                                 bool fusedKernel = true);

std::unique_ptr<Bert> bertModel(const TensorCase& layerCase, const std::string& chain);

// A stack alone (models encoder, vanilla_stack, relation_aware_stack) with the case's parameters.
struct LoneStack {
  ParameterStore store;
  std::unique_ptr<TransformerStack> stack;
  torch::Tensor forward(const TensorCase& layerCase, const StepContext& context) const;
};
std::unique_ptr<LoneStack> loneStack(const TensorCase& layerCase, const std::string& chain,
                                     torch::ScalarType type = torch::kFloat64);

// Label-smoothed sum over real targets in fairseq's older form (docs/translation.md §4).
torch::Tensor smoothedLoss(const torch::Tensor& logits, const torch::Tensor& targets,
                           const torch::Tensor& mask, double smoothing);

}  // namespace fathom::fixtures
