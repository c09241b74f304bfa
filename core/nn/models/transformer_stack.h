// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <memory>
#include <string>
#include <vector>

#include "core/nn/attention/attention.h"
#include "core/nn/models/feed_forward.h"
#include "core/nn/models/model.h"
#include "core/nn/residual/residual_scheme.h"

namespace fathom {

// The four axes of one stack (docs/architecture.md §2) beside its initialisation.
struct StackConfiguration {
  StackSetup setup;
  std::string residual = "post_ln";
  std::string attention = "multi_head";
  AttentionSetup selfAttention;   // width is taken from setup
  AttentionSetup crossAttention;  // decoder only
  std::int64_t feedForward = 0;
  Activation activation = Activation::Relu;
  double activationDropout = 0;
  // Of relation ids by distance (relative_positions.h), where the attention needs ids and the inputs bring
  // none.
  std::int64_t relativeDistance = 0;
  StackDescription description() const;
};

// Which layers are run, and which of them do not learn and have no dropout.
struct StackRange {
  std::int64_t first = 0;  // above 0: x is what the layer below has made; no score chain comes from there
  std::int64_t end = -1;   // -1: to the last one
  std::int64_t still = 0;  // layers below this one
};

// What a forward of a stack reads beside the stream.
struct StackInputs {
  const AttentionMask& selfMask;
  const torch::Tensor& memory;  // [B, S, d], undefined in encoders
  const AttentionMask& memoryMask;
  const torch::Tensor& relations;   // int64 [B, T, T], blocks of a packed stream, or undefined
  DecodeState* decoding = nullptr;  // incremental: x is [R, 1, d], caches are read and appended
  // Packed encoders (takesPackedRows, readsSomeRows): rows whose states are wanted, int64 [R], R of them in
  // each sequence by `wantedSpans` [B, 2]. The last layer computes these alone, the result is [R, d].
  torch::Tensor wantedRows = {}, wantedSpans = {};
  StackRange range = {};
};

// Encoder or decoder: layers of branches, joined by a residual scheme. Score chains live in one forward, one
// per attention kind.
class TransformerStack {
 public:
  TransformerStack(ParameterStore& store, const StackConfiguration& configuration,
                   const OptionValues& options);
  torch::Tensor forward(const torch::Tensor& x, const StackInputs& inputs, const StepContext& context) const;
  // K/V of the memory for every layer's cross attention.
  std::vector<KeyValueCache> projectMemory(const torch::Tensor& memory) const;
  // True if a range may begin above the first layer.
  bool canBeCut() const;
  // Whether forward() takes a packed stream [N, d] (attention.h).
  bool takesPackedRows(const torch::TensorOptions& tensors, std::int64_t longest) const;
  // Whether StackInputs::wantedRows may be given with it.
  bool readsSomeRows() const;
  ResidualScheme& residual() const { return *m_residual; }
  StackDescription description() const { return m_configuration.description(); }

 private:
  torch::Tensor relations(const torch::Tensor& x, const StackInputs& inputs) const;
  torch::Tensor branch(std::int64_t layer, std::int64_t sublayer, const torch::Tensor& branchInput,
                       const StackInputs& inputs, const StepContext& context, torch::Tensor chains[2]) const;
  torch::Tensor lastLayer(const torch::Tensor& x, const StackInputs& inputs,
                          const StepContext& context) const;

  StackConfiguration m_configuration;
  std::unique_ptr<ResidualScheme> m_residual;
  std::vector<std::unique_ptr<Attention>>
      m_attentions;  // by layer * sublayers + sublayer, null at feed-forward
  std::vector<std::unique_ptr<FeedForward>> m_feedForwards;
};

}  // namespace fathom
