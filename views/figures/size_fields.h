// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/options/option_field.h"

namespace fathom {

// The options "width" and "height" of a figure, in mm; 0 = the style's width and what `heightHelp` says.
std::vector<OptionField> sizeFields(
    const char* heightHelp = "0: the style's width, and a height that suits the figure.");

}  // namespace fathom
