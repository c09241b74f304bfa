// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/engine/bench/bench_pairs.h"

namespace fathom {

// The benches of SQL-SP (docs/benchmarks.md §2). `size`: "paper" or "cpu", the sizes of its presets.
// `reference`: a folder with DT-Fixup's code, whose decoder is then the peer; "": one of ours that works step
// by step as that does. Their results say "peer_is": "released" or "step_by_step", and "floor": {"gflop",
// "gemm_gflops", "seconds", "share"}: the products alone at the rate of large ones, and their part of our
// time.

// The decoder, teacher forced: loss and gradients of a batch.
struct SqlDecoderBench {
  BenchSettings settings{5, 10, 0, "", "python3"};
  std::string size = "paper", reference;
  std::int64_t rows = 16, length = 90, columns = 30, actions = 40;
  bool spread = false;  // lengths as Spider's instead
};
// And "recurrence_seconds": those products that one step after the other must make, at the batch's own size.
Status benchSqlDecoder(const SqlDecoderBench& bench);

// The batched search against the plain one of one example at a time. With `run` the memories are those of
// its validation examples under its weights, and the whole validation is timed, too: {"validation":
// {"examples", "seconds", "seconds_without_search", "exact_match", "features"}}.
struct GrammarBeamBench {
  BenchSettings settings{3, 1, 0, "", "python3"};
  std::string size = "cpu", reference, run;
  std::int64_t examples = 100, batch = 64, beam = 5, maxSteps = 100;
};
// In float64 both find the same hypotheses, and searchGrammar() does; timed in float32. "plain_seconds",
// "plain_ratio": searchGrammar() in this process.
Status benchGrammarBeam(const GrammarBeamBench& bench);

// A whole training step on a frozen encoder's states: packed rows, the same padded, and the peer.
struct SqlStepBench {
  BenchSettings settings{5, 5, 0, "", "python3"};
  std::string size = "cpu";
  std::int64_t rows = 16;
  double dropout = 0.2;  // while timing
};
// "padded": {"seconds_a_step", "ratio", "peak_bytes"} of this network without packed rows.
Status benchSqlStep(const SqlStepBench& bench);

}  // namespace fathom
