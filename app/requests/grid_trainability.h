// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/record/runs/run_config.h"

namespace fathom {

// Verdicts of the trainability check on the settings of a grid, by run, in <project>/trainability/: seeds
// of one setting share a verdict, that of any of them.

// When the last one was kept; nothing where there is none.
std::optional<std::filesystem::file_time_type> verdictsChangedAt(const std::string& project);
// By run: the words of trainabilityName(). Files that hold none are passed over.
Result<std::map<std::string, std::string>> keptVerdicts(const std::string& project);
// Judges a configuration as checkTrainability() does and keeps the report with the run.
Result<std::string> judgeAndKeep(const std::string& project, const std::string& run, const RunConfig& config,
                                 Progress& progress, const StopToken& stop);

}  // namespace fathom
