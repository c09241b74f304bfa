// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/engine/bench/bench_pairs.h"

namespace fathom {

// Forward and backward of the attention of a long and a global stream (docs/benchmarks.md §2), float32, for
// lengths that double. From queries, keys and values: ours in blocks against every pair under a mask in this
// process, results equal first. From states: against Longformer's attention of transformers with the same
// band and as many global tokens, which computes something else.
struct LongAttentionBench {
  BenchSettings settings;
  std::int64_t shortest = 1024, longest = 8192, radius = 84, globals = 128, heads = 12, width = 768;
  std::int64_t fullUpTo = 4096;  // every pair only up to this length: it takes n^2 memory
};
Status benchLongAttention(const LongAttentionBench& bench);

}  // namespace fathom
