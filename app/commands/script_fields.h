// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/runs/script_request.h"
#include "core/base/options/option_field.h"

namespace fathom {

// The options by which a command is told what to run in an engine's stead: command, folder. All words behind
// "--" are the command.
std::vector<OptionField> scriptFields();
// The request that these options describe, with set, name and group where the command has them.
ScriptRequest scriptRequest(const OptionValues& options);

}  // namespace fathom
