// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/option_field.h"

namespace fathom {

// An option with named values; the first is the default.
OptionField choiceField(const char* key, const char* title, const char* help,
                        std::vector<OptionChoice> choices);

}  // namespace fathom
