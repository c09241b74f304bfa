// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/options/option_field.h"

namespace fathom {

// The choice of a sequential colour map, "palette": viridis or cividis. Both are safe for colour-blind
// readers; cividis looks nearly alike to everybody.
OptionField mapPaletteField();

}  // namespace fathom
