// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "views/figure/figure_spec.h"

namespace fathom {

// The figure as text for golden tests: every field that is not empty, numbers with six significant digits,
// long lists as their length, ends, smallest, largest and sum. No pixels, no fonts: the same on every
// machine.
std::string figureDump(const FigureSpec& spec);

}  // namespace fathom
