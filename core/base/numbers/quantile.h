// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace fathom {

// Linear interpolation between order statistics at q(n-1); `sorted` ascending. NaN for no samples.
double quantileOfSorted(std::span<const double> sorted, double q);

}  // namespace fathom
