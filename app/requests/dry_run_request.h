// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/record/runs/run_config.h"

namespace fathom {

struct DryRunQuestion {
  // The runs; of several a grid. Their options may differ in anything.
  std::vector<RunConfig> configs;
  std::string disk;          // folder on the disk of the runs, or ""
  bool check = false;        // only whether they fit
  double seconds = 3;        // updates are timed for so long
  std::string place = {};    // where the runs are trained; "": this machine
  std::string project = {};  // whose places know what was measured there (places/place_look.h)
};

// Needs of the runs, as `fathom-engine estimate --json` says them (docs/dry_run.md §5). A stop kills the
// engine. Errors: no engine, and what the engine says. Any thread.
Result<Json> askDryRun(const DryRunQuestion& question, Progress& progress, const StopToken& stop);

// Bytes of memory that a run needs which is there already, by the configuration of its last attempt; none of
// its updates is timed. Errors as above, and of a run without a configuration.
Result<std::int64_t> askMemoryOf(const std::string& runFolder, Progress& progress, const StopToken& stop);
// The bytes in such an answer; 0 where they are known only in part.
std::int64_t neededMemory(const Json& report);

// Before runs are queued: refuses those that cannot fit, naming what would. An engine that cannot be asked
// (an older one, another machine's) refuses nothing: it looks again before it builds a run.
Status checkRunsFit(const std::vector<RunConfig>& configs, const std::string& project, const StopToken& stop);

}  // namespace fathom
