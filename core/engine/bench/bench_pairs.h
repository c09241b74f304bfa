// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/engine/bench/bench_peer.h"

namespace fathom {

// Settings of a bench against a peer, which every one of them takes from the command line.
struct BenchSettings {
  std::int64_t pairs = 5, steps = 1, threads = 0;
  std::string peerScript, python = "python3";
};

// A number that both sides compute on the same inputs, with the relative gap that is allowed.
struct BenchCheck {
  std::string name;
  double value = 0;
  double allowedGap = 1e-4;
};

// Base of every bench against a peer in Python: a folder of inputs, equal results first, A-B-A-B pairs.
struct PairBench {
  std::string id;          // "rat-layer"
  std::string script;      // peer's file in packaging/bench_peers, "rat_layer.py"
  std::string peerScript;  // given on the command line, "" = found beside the program's sources
  std::string python = "python3";
  std::int64_t pairs = 5, steps = 2;
  std::function<void()> step;  // ours, timed
  std::vector<BenchCheck> check;
};
PairBench pairBench(const char* id, const char* script, const BenchSettings& settings);
// Writes the peer's inputs into the folder it is given.
using WriteInputs = std::function<Status(const std::string& folder)>;

// One JSON object: {"format", "bench", "seconds_a_step", "cpu_to_wall", "foreign_load" (share of the machine
// others used), "noisy" (above .1), "pairs", "steps" (of one measurement), "peak_bytes", "check"} and, with
// the peer, {"peer_seconds_a_step", "ratio", "cpu_ratio", "ratio_lowest", "ratio_highest"}. The peer
// answers "check" with the numbers by name, "run N" with {"seconds", "cpu"} and, where it can,
// {"peak_bytes"}. Numeric error when the results differ: nothing is timed then.
Result<Json> runPairBench(const PairBench& bench, const WriteInputs& inputs);

// Prints what a bench found, with the number of threads; else says why it found nothing.
Status finishBench(const Result<Json>& result, int threads);

// Bytes this process has held at most since the mark was reset (VmHWM); 0 where the system does not tell.
void resetPeakMemory();
std::int64_t peakMemory();

}  // namespace fathom
