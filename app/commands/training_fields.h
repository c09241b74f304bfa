// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/runs/training_request.h"
#include "core/base/options/option_field.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// The options by which a command is told what to train: preset, config, data, set, name. `nameHelp` says what
// is named  in the words of Command::fields.
std::vector<OptionField> trainingFields(const char* nameHelp);
// The request that these options describe.
TrainingRequest trainingRequest(const OptionValues& options);

// --dry-run: what the runs need, and nothing is queued.
OptionField dryRunField();
// The answer to it; its exit code is that of the refusal where the runs cannot fit.
struct CommandOutput;
Result<CommandOutput> dryRunOutput(const std::vector<RunConfig>& configs, const std::string& project,
                                   const std::string& place, Progress& progress, const StopToken& stop);

}  // namespace fathom
