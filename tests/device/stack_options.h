// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/options/option_field.h"

namespace fathom::device_checks {

// Options of networks, their initialisation and their optimiser, without a task, whose rules name the models
// that it takes.
OptionValues stackOptions(const std::vector<std::string>& assignments);

}  // namespace fathom::device_checks
