// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/nn/models/model.h"
#include "core/nn/models/transformer_stack.h"
#include "core/nn/row_packing.h"

namespace fathom {

// The stack of extra layers that options "extra.*" and "model.extra_layers.*" describe (DT-Fixup §4,
// docs/models.md §3): query, key and value maps without biases, dropout on the whole stream, one more norm
// above a normalised stack.
StackConfiguration extraStackConfiguration(const OptionValues& options);
std::vector<OptionField> extraLayersFields();  // model.extra_layers.*

// A group of given vectors that a projection brings to the width of the layers ("question", "schema").
struct FeaturePart {
  std::string name;
  std::int64_t width = 0;
  double dropout = 0;  // before the projection, where DT-Fixup's released code has it
};

// N vanilla or relation-aware layers on given features: every part is projected without bias to the width,
// the parts are joined along the sequence in order, and the stack reads them. Parameters
// "<part>_projection.weight" [d, width], then the stack's under "extra.".
class ExtraLayers : public Model {
 public:
  ExtraLayers(std::vector<FeaturePart> parts, const StackConfiguration& stack, const OptionValues& options,
              const torch::TensorOptions& tensors);
  // As a part of a larger model: its parameters, by the same names, in that model's store.
  ExtraLayers(ParameterStore& store, std::vector<FeaturePart> parts, const StackConfiguration& stack,
              const OptionValues& options);
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

  // The same without padding: of every part the rows of all examples, one example behind the other.
  struct RaggedFeatures {
    std::vector<torch::Tensor> states;              // per part [rows, width_part]
    std::vector<std::vector<std::int64_t>> counts;  // per part: rows of every example
    torch::Tensor relations;  // uint8 [sum of n^2] as relationBlocks() takes it; relation-aware stacks only
  };
  // Rows [N, d] of all examples, those of an example part after part.
  struct PackedRows {
    torch::Tensor rows;
    RowPacking packing;
  };
  PackedRows projectedRows(const RaggedFeatures& features, const StepContext& context) const;
  PackedRows forward(const RaggedFeatures& features, const StepContext& context) const;

 private:
  ExtraLayers(StoreOwnership store, std::vector<FeaturePart> parts, const StackConfiguration& stack,
              const OptionValues& options);
  torch::Tensor projectedPart(std::size_t part, const torch::Tensor& states,
                              const StepContext& context) const;
  torch::Tensor paddedForward(const torch::Tensor& x, const torch::Tensor& padding,
                              const torch::Tensor& relations, const StepContext& context) const;
  torch::Tensor packedForward(const torch::Tensor& x, const Features& features,
                              const StepContext& context) const;

  std::vector<FeaturePart> m_parts;
  std::unique_ptr<ParameterStore> m_ownStore;  // null as a part
  ParameterStore& m_store;
  std::int64_t m_relationTypes;
  std::vector<torch::Tensor> m_projections;
  std::unique_ptr<TransformerStack> m_stack;
};

}  // namespace fathom
