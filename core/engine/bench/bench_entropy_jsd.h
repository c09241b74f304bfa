// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/engine/bench/bench_pairs.h"

namespace fathom {

// Entropy of every attention row and its divergence from the layer below (docs/benchmarks.md §2), by the code
// of the probe, from given queries and keys of BERT-Base, float32, against torch in Python on attention that
// is kept. Beside the times: "extra_bytes", what a step holds beyond the inputs, "peer_extra_bytes" and
// "memory_ratio". And the whole probe on a whole BERT of the same layers, heads and length, `probeRows`
// examples: "probe": {"rows", "forward_seconds", "probe_seconds", "forward_peak_bytes", "probe_peak_bytes",
// "memory_over_forward"}, where peaks are of the process, the second with the probe's statistics in it.
struct EntropyJsdBench {
  BenchSettings settings;
  std::int64_t layers = 12, rows = 32, heads = 12, length = 512, headWidth = 64, probeRows = 2;
};
Status benchEntropyJsd(const EntropyJsdBench& bench);

}  // namespace fathom
