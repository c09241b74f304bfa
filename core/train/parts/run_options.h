// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/record/runs/run_config.h"

namespace fathom {

// The whole configuration of a run as one schema: the loop, the task, the objective, the model with its
// schemes, initialisations, optimisers and schedules.
const OptionSchema& runSchema();

// defaults < configuration file < "key=value" assignments, then the rules. Errors name file and key.
Result<OptionValues> runOptions(const RunConfig& config, const std::string& file,
                                const std::vector<std::string>& assignments);
// The same without the rules of task and optimiser: a network that no task trains as it is (a head, relation-
// aware layers) can still be described and filled.
Result<OptionValues> networkOptions(const RunConfig& config, const std::string& file,
                                    const std::vector<std::string>& assignments);
// The options of a recorded run: unknown keys are kept.
Result<OptionValues> recordedOptions(const Json& options, const std::string& file);

}  // namespace fathom
