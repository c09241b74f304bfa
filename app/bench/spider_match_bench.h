// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// Scores one prediction file as a whole process, ours and Spider's evaluation script in turn
// (docs/benchmarks.md §2).
struct SpiderMatchBench {
  std::string gold, predictions, tables, databases;
  int rounds = 5;
};

struct SpiderMatchTimes {
  std::string peer;                 // "" = absent, else where it lies
  std::vector<double> ours, peers;  // whole processes, ms, in the order of the rounds
  std::vector<double> peerScoring;  // the part of the peer's that scores, without start and imports, ms
  std::vector<double> ourScoring;   // reading and scoring inside this process, ms
  double ratio = 0;                 // median of the per-round ratios
  double lowest = 0, highest = 0;
  int examples = 0, right = 0;
};

// Equal scores first: a data error names the level and the number that differs. Any thread.
Result<SpiderMatchTimes> benchSpiderMatch(const SpiderMatchBench& bench, Progress& progress,
                                          const StopToken& stop);

}  // namespace fathom
