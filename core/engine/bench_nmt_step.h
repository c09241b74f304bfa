// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/record/exit_code.h"

namespace fathom {

// One training step of an encoder-decoder Transformer (performance.md §8, C4a): forward, label-smoothed loss,
// backward, gradient norm, RAdam, float32. Against the same model in Python with torch where that is
// installed: equal loss and gradient norm first, then A-B-A-B pairs.
struct NmtStepBench {
  std::int64_t layers = 6, width = 512, feedForward = 1024, heads = 4;
  std::int64_t tokens = 4000;  // padded tokens of a batch, each side
  std::int64_t vocabulary = 10000;
  std::int64_t pairs = 5, steps = 2, threads = 0;
  double dropout = 0.1;  // while timing
  std::string device = "cpu";
  std::string
      peerScript;  // "" = packaging/bench_peers/nmt_step.py beside the program's sources, if it exists
  std::string python = "python3";
};

// Prints one JSON object, nothing before it:
//   format 1, bench "nmt-step", model {layers, width, heads, feed_forward, dropout, vocabulary,
//   target_tokens}, device, threads, pairs, steps (of one measurement) check {loss, grad_norm, peer_loss,
//   peer_grad_norm, equal}: first batch without dropout, or {.., peer: why there is none}; when not equal
//   only this is printed and nothing is timed (exit code 20) seconds_a_step (median), target_tokens_per_s,
//   cpu_to_wall, foreign_load (share of the machine others used), noisy (above 0.1), prefetch {steps,
//   wait_p99, wait_worst}: share of a step spent waiting for its batch with a peer: peer_seconds_a_step,
//   ratio (median of peer / ours over the pairs), ratio_lowest, ratio_highest, cpu_ratio (of processor
//   seconds)
ExitCode benchNmtStep(const NmtStepBench& bench);

}  // namespace fathom
