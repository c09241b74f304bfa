// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fathom {

// docs/optimisers.md §1: rho of the second moment's effective length at step t (from 1) and the variance
// rectifier, 0 where rho is below the threshold.
double radamRho(double beta2, std::int64_t t);
double radamRectifier(double beta2, std::int64_t t, double threshold = 5);

}  // namespace fathom
