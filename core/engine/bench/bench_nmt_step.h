// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/engine/bench/bench_pairs.h"

namespace fathom {

// One training step of an encoder-decoder Transformer (docs/benchmarks.md §2): forward, label-smoothed loss,
// backward, gradient norm, RAdam, float32. Against the same model in Python with torch where that is
// installed: equal loss and gradient norm first, then A-B-A-B pairs.
struct NmtStepBench {
  BenchSettings settings{5, 2, 0, "", "python3"};
  std::int64_t layers = 6, width = 512, feedForward = 1024, heads = 4;
  std::int64_t tokens = 4000;  // padded tokens of a batch, each side
  std::int64_t vocabulary = 10000;
  double dropout = 0.1;  // while timing
  std::string device = "cpu";
};

// Prints what runPairBench tells (check: loss and grad_norm of the first batch without dropout) and
//   model {layers, width, heads, feed_forward, dropout, vocabulary, target_tokens}, device,
//   target_tokens_per_s, prefetch {steps, wait_p99, wait_worst}: share of a step spent waiting for its batch.
Status benchNmtStep(const NmtStepBench& bench);

}  // namespace fathom
