// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <map>
#include <vector>

#include "core/analysis/statistics/value_histogram.h"
#include "core/nn/step_context.h"
#include "core/probe/attention_rows.h"
#include "core/probe/forward_pass.h"

namespace fathom {

// Statistics of one kind of attention of one stack: entropy of every layer and head, divergence of every
// layer from the one below (same head; layer 0 has none).
struct AttentionStatistics {
  StackKind stack = StackKind::Encoder;
  SublayerKind kind = SublayerKind::SelfAttention;
  std::vector<std::vector<ValueHistogram>> entropyNats;  // [layer][head]
  std::vector<std::vector<ValueHistogram>> jsdBits;      // [layer - 1][head]
  std::vector<std::vector<ValueHistogram>> logits;       // [layer][head], largest of each query
};

// What an AttentionProbe counts; entropies alone take half of the work, logits alone a tenth.
struct AttentionQuantities {
  bool entropies = true, divergences = true, logits = false;
};

// Streams attention through histograms (RealFormer Figs 4-6; docs/analyses.md §1, §2): softmax output in
// evaluation mode, score chain included, real query tokens only. Where the scores are products of queries and
// keys, rows are made of those, block by block, and of the layer below queries and keys alone are kept: no
// tensor [B, H, T, S] exists. With a score chain or relations the forward has such tensors, and the
// probabilities of the layer below are kept beside them. Set `masks` before each batch's forward; results do
// not depend on how examples are batched or padded.
class AttentionProbe : public ForwardObserver {
 public:
  // Divergences need entropies.
  explicit AttentionProbe(std::int64_t longestKeys, AttentionQuantities wanted = {})
      : m_longestKeys(longestKeys), m_wanted(wanted) {}
  void setMasks(TokenMasks masks) { m_masks = std::move(masks); }
  // One forward over one batch.
  void run(const ForwardPass& forward, StepContext context);
  const std::vector<AttentionStatistics>& statistics() const { return m_statistics; }

  bool wantsAttention() const override { return true; }
  void attention(const AttentionRecord& record) override;
  bool watchesFrozenParts() const override { return true; }
  bool takesQueriesAndKeys() const override { return true; }
  void queriesAndKeys(const QueryKeyRecord& record) override;

 private:
  using Place = std::pair<StackKind, SublayerKind>;
  AttentionStatistics& statisticsOf(const SublayerSite& site, std::int64_t heads);
  std::int64_t m_longestKeys;
  AttentionQuantities m_wanted;
  TokenMasks m_masks;
  std::vector<AttentionStatistics> m_statistics;
  // The layer below: its rows and their entropies [B * H * T].
  struct Below {
    torch::Tensor probabilities;
    std::vector<double> entropies;
  };
  std::map<Place, Below> m_below;
  std::map<Place, ScoredLayer> m_scoredBelow;
};

}  // namespace fathom
