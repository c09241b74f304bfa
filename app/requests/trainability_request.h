// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/record/runs/run_config.h"

namespace fathom {

// Forecast whether a configuration learns, of `fathom-engine trainability --json` (core/analysis/training/
// trainability.h): {"verdict", "checks", "stacks", "mu", ..., "note", "seconds"}. A stop kills the engine.
// Errors: no engine, and what the engine says. Any thread.
Result<Json> checkTrainability(const RunConfig& config, Progress& progress, const StopToken& stop);

// The same for a terminal: verdict, reasons with what would help, and the scales of the stacks as a table.
std::string trainabilityText(const Json& report);

}  // namespace fathom
