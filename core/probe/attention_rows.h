// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace fathom {

// Entropy and divergence of many attention rows at once. The definitions are those of core/analysis
// (attentionEntropy, attentionJsd); float32 rows are read eight numbers at a time where the processor can,
// equal to them within 1e-5, float64 rows by those functions themselves. Rows are shared out to the threads;
// results do not depend on how many there are.

// Of probabilities [..., S], contiguous on the CPU: one entropy in nats a row.
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

// Means of entropy and divergence of one sort of attention for given queries and keys [L, B, H, T, d] of all
// layers, float32 on the CPU: rows of all layers are made, looked at and dropped in blocks that stay in the
// cache, so that no T x S tensor exists.
struct StreamedMeans {
  double entropyNats = 0, jsdBits = 0;
};
StreamedMeans streamAttention(const torch::Tensor& queries, const torch::Tensor& keys);

}  // namespace fathom
