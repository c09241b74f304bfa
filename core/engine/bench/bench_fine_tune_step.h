// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/bench/bench_pairs.h"

namespace fathom {

// Updates of a fine-tuning run as its task, model and objective make them (docs/fine_tuning.md), without
// dropout, with Adam of Loshchilov and Hutter and clipping, float32. Against transformers with sdpa and fused
// AdamW on the same weights, head and batches: the losses of the first updates are equal first, then A-B-A-B
// pairs over the same batches.
struct FineTuneStepBench {
  BenchSettings settings{5, 4, 0, "", "python3"};
  std::string preset = "glue_quick";
  std::vector<std::string> assignments;  // data, vocabulary and weights, and what else differs
  std::int64_t updates = 20;             // whose losses are compared; so many batches are used
};

// Prints what runPairBench tells (check: loss_1, loss_2, …) and
//   losses [updates], batches {count, rows, longest, real}: means of rows and longest row, share of tokens
//   that are no padding.
Status benchFineTuneStep(const FineTuneStepBench& bench);

}  // namespace fathom
