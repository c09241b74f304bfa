// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/engine/bench/bench_pairs.h"

namespace fathom {

// Output shift of encoders against depth under random signs (docs/benchmarks.md §2), Post-LN, Pre-LN and
// Admin: ours reads every depth from one net of the largest depth, the peer runs one net for each depth.
// Building the nets is not timed on either side.
struct OutputShiftBench {
  BenchSettings settings;
  std::int64_t deepest = 48, every = 6, seeds = 2;
  std::int64_t width = 256, heads = 4, feedForward = 1024, rows = 8, length = 32;
};
Status benchOutputShift(const OutputShiftBench& bench);

}  // namespace fathom
