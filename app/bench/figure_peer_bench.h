// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/bench/figure_bench.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// The figures of benchFigures(), ours and matplotlib's in turn (docs/benchmarks.md §2): the peer reads
// the same FigureSpecs and must hold the same numbers before anything is timed.
struct FigurePeerBench {
  int rounds = 5;
  bool usualCalls =
      false;  // the peer also with the calls of its documentation: one round, some of them take long
};

struct FigureTimes {
  std::string what;
  FigureBenchLine ours;                      // medians over the rounds; `worst` of all
  std::optional<FigureBenchLine> peer;       // with as few artists as the same picture needs
  std::optional<FigureBenchLine> usualPeer;  // with its usual calls
  // Peer's time by ours: medians over the rounds.
  double redrawRatio = 0, lowest = 0, highest = 0, pdfRatio = 0;
};

struct FigurePeerTimes {
  std::string peer;  // "matplotlib 3.11"; "" = absent
  std::vector<FigureTimes> figures;
};

// Data error that names figure and number when the peer draws something else. GUI thread.
Result<FigurePeerTimes> benchFigurePeer(const FigurePeerBench& bench, Progress& progress,
                                        const StopToken& stop);

}  // namespace fathom
