// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/library/runs/run_listing.h"
#include "core/record/results/analysis_store.h"

namespace fathom {

// An analysis of a checkpoint as a person asks for it.
struct AnalysisWish {
  std::string analysis;  // id, as `fathom-engine describe` lists under entries.probes
  // Number of updates, name, "best", "init", or "" = the newest; several with commas, or "all".
  std::string checkpoint;
  std::string split;                        // empty = the part that the analysis usually looks at
  std::vector<std::string> assignments;     // "key=value", options of the analysis ("examples" is one)
  std::vector<std::string> runAssignments;  // on top of the run's options
  // Is told how long the analysis takes where that is minutes, on the thread that computes; may be empty.
  std::function<void(const Phrase&)> say = {};
};

// Folder of a run's results: in the run's folder, or in the project's where that cannot be written to.
std::string analysesFolder(const std::string& project, const RunRow& run);

// Their requests alone; without those that a newer version of the analysis computes otherwise and still can.
Result<std::vector<StoredRequest>> storedRequests(const std::string& project, const RunRow& run,
                                                  const std::string& analysis);
// The folder of the result with that key, whatever version computed it; empty where it is not there.
Result<std::string> storedFolder(const std::string& project, const RunRow& run, const std::string& analysis,
                                 const std::string& key);

// Number of checkpoints of `wish` that have no stored result yet.
Result<std::size_t> missingAnalyses(const std::string& project, const RunRow& run, const AnalysisWish& wish,
                                    const StopToken& stop);

// Results for each of the checkpoints in their order, stored already, brought by another program
// (import-attention, fathom.capture) or computed and stored by an engine of its own: one engine for all that
// is missing, which prepares the data once. A stop kills it; what was stored before, or before the first
// error, stays. Works while the run is being trained. Any thread.
Result<std::vector<StoredAnalysis>> computeAnalyses(const std::string& project, const RunRow& run,
                                                    const AnalysisWish& wish, Progress& progress,
                                                    const StopToken& stop);

}  // namespace fathom
