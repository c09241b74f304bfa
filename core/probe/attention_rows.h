// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace fathom {

// Entropy and divergence of many attention rows at once. The definitions are those of core/analysis
// (attentionEntropy, attentionJsd); float32 rows are read eight numbers at a time where the processor can,
// equal to them within 1e-5, float64 rows by those functions themselves. Rows are shared out to the threads;
// results do not depend on how many there are.

// Entropies of probabilities [..., S], contiguous on the CPU: one in nats a row.
std::vector<double> rowEntropies(const torch::Tensor& probabilities);
// Bits between rows of the same place, with the entropies of both.
std::vector<double> rowDivergences(const torch::Tensor& now, const torch::Tensor& below,
                                   const std::vector<double>& entropiesNow,
                                   const std::vector<double>& entropiesBelow);

// One float32 row of scores becomes its softmax; the entropy (nats) comes from the scores, without a
// logarithm for every number: ln Z - Σ (s - max) e^(s - max) / Z.
double softmaxWithEntropy(float* scores, std::int64_t keys);
// Bits between two float32 rows.
double rowDivergence(const float* now, const float* below, std::int64_t keys, double entropyNow,
                     double entropyBelow);

// One layer's attention before the softmax: products of queries [B, H, T, d] and keys [B, H, S, d] times
// `scale`, plus `additive` (broadcastable to [B, H, T, S]; undefined = nothing). Float32 or float64 on the
// CPU.
struct ScoredLayer {
  torch::Tensor queries, keys, additive;
  double scale = 1;
};

// Some rows of one head of one layer: those of queries [firstQuery, firstQuery + queries) of the sequences
// [firstSequence, firstSequence + sequences), in that order. Valid during the call.
struct AttentionRowBlock {
  std::size_t layer = 0;
  std::int64_t head = 0, firstSequence = 0, sequences = 0, firstQuery = 0, queries = 0;
  const double* entropies = nullptr;    // nats; null where not asked for
  const double* divergences = nullptr;  // bits, from the layer before; null for the first
  const double* logits = nullptr;       // largest of each row (largestLogit); null where not asked for
};

// What is asked of rows. Without entropies there are no divergences, and no softmax is made.
struct AttentionRowWish {
  bool entropies = true, logits = false;
};

// Entropy of every row of every layer, and its divergence from the row of the same place in the layer before,
// for layers of one shape: rows are made, looked at and dropped in blocks that stay in the cache, so that no
// T x S tensor exists. use(block) runs on several threads, all blocks of a head on one of them, in an order
// that does not depend on how many there are.
void streamAttention(std::span<const ScoredLayer> layers,
                     const std::function<void(const AttentionRowBlock&)>& use, AttentionRowWish wish = {});

// Largest logits of rows of scores [..., S] where the mask's are hidden ones (largestLogit): one a row.
std::vector<double> rowLargestLogits(const torch::Tensor& scores);

}  // namespace fathom
