// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/nn/models/model.h"
#include "core/nn/models/transformer_stack.h"

namespace fathom {

// The stack of extra layers that options "extra.*" and "model.extra_layers.*" describe (DT-Fixup §4,
// docs/models.md §3): query, key and value maps without biases, dropout on the whole stream, one more norm
// above a normalised stack.
StackConfiguration extraStackConfiguration(const OptionValues& options);

// A group of given vectors that a projection brings to the width of the layers ("question", "schema").
struct FeaturePart {
  std::string name;
  std::int64_t width = 0;
};

// N vanilla or relation-aware layers on given features: every part is projected without bias to the width,
// the parts are joined along the sequence in order, and the stack reads them. Parameters
// "<part>_projection.weight" [d, width], then the stack's under "extra.".
class ExtraLayers : public Model {
 public:
  ExtraLayers(std::vector<FeaturePart> parts, const StackConfiguration& stack, const OptionValues& options,
              const torch::TensorOptions& tensors);
  const std::string& id() const override;
  ParameterStore& parameters() override { return m_store; }
  std::vector<StackDescription> stacks() const override { return {m_stack->description()}; }
  ResidualScheme& residual(StackKind) override { return m_stack->residual(); }

  struct Features {
    std::vector<torch::Tensor> states;  // per part [B, n_part, width_part]
    torch::Tensor padding;              // bool [B, n], n = sum of n_part; undefined: nothing is padded
    torch::Tensor relations;            // int64 [B, n, n], relation-aware stacks only
  };
  // [B, n, d]: what enters the first layer.
  torch::Tensor projected(const Features& features, const StepContext& context) const;
  // [B, n, d]; padded positions hold anything: padding may be left out of the layers.
  torch::Tensor forward(const Features& features, const StepContext& context) const;

 private:
  torch::Tensor packedForward(const torch::Tensor& x, const Features& features,
                              const StepContext& context) const;

  std::vector<FeaturePart> m_parts;
  ParameterStore m_store;
  std::int64_t m_relationTypes;
  std::vector<torch::Tensor> m_projections;
  std::unique_ptr<TransformerStack> m_stack;
};

}  // namespace fathom
