// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace fathom {

// A value that is not there: figures leave a gap, tables an empty cell.
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace fathom
