// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/engine/bench_pairs.h"

namespace fathom {

// Entropy of every attention row and its divergence from the layer below (performance.md §8, C5), from given
// queries and keys of BERT-Base, float32, against torch in Python on attention that is kept. Beside the
// times: "extra_bytes", what a step holds beyond the inputs, "peer_extra_bytes" and "memory_ratio".
struct EntropyJsdBench {
  BenchSettings settings;
  std::int64_t layers = 12, rows = 32, heads = 12, length = 512, headWidth = 64;
};
ExitCode benchEntropyJsd(const EntropyJsdBench& bench);

}  // namespace fathom
