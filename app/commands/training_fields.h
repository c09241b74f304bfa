// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/training_request.h"
#include "core/base/options/option_field.h"

namespace fathom {

// The options by which a command is told what to train: preset, config, set, name. `nameHelp` says what is
// named  in the words of Command::fields.
std::vector<OptionField> trainingFields(const char* nameHelp);
// What was asked with them.
TrainingRequest trainingRequest(const OptionValues& options);

}  // namespace fathom
