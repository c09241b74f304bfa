// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/stop_token.h"
#include "core/record/run_config.h"

namespace fathom {

// Whether a configuration will learn, as `fathom-engine trainability --json` says it (core/analysis/
// trainability.h): {"verdict", "checks", "stacks", "mu", ..., "note", "seconds"}. A stop kills the engine.
// Errors: no engine, and what the engine says. Any thread.
Result<Json> checkTrainability(const RunConfig& config, Progress& progress, const StopToken& stop);

// The same for a terminal: verdict, reasons with what would help, and the scales of the stacks as a table.
std::string trainabilityText(const Json& report);

}  // namespace fathom
