// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

// Max-token batching of fairseq (docs/translation.md §3). Lengths are in tokens, end mark included.
struct TokenBatching {
  std::int64_t maxTokens = 4096;  // rows × longest side of the batch, padding counted
  std::int64_t maxSentences = 0;  // 0 = no limit
  std::int64_t multiple = 8;      // batch sizes are cut to a multiple of this when possible
  std::int64_t maxLength = 1024;  // pairs longer than this on either side are dropped
  // The rule carries the pairs behind a cut over without testing them again, so a batch may exceed maxTokens
  // when a much longer pair follows. true: such a batch is closed first, none exceeds.
  bool strictMaxTokens = false;
};

struct BatchPlan {
  std::vector<std::vector<std::int64_t>> batches;  // pair indices; rows by source length descending (stable)
  std::vector<std::int64_t> dropped;    // in sorted order: too long, or longer than maxTokens alone
  std::vector<std::int64_t> overLimit;  // batches with more than maxTokens
};

// `permutation` of the pairs breaks ties: stable sort by target length, then by source length. Lengths >= 1.
BatchPlan planBatches(std::span<const std::int32_t> sourceLengths,
                      std::span<const std::int32_t> targetLengths, std::span<const std::int64_t> permutation,
                      const TokenBatching& options);

}  // namespace fathom
