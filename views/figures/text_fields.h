// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/options/option_field.h"

namespace fathom {

// A figure's option that is typed. An empty default also switches it off.
OptionField typedField(const char* key, const char* title, const char* help, const char* defaultValue = "");

// The option "checkpoint" of figures that show stored results.
OptionField checkpointField();

}  // namespace fathom
