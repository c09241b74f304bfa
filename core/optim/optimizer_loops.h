// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fathom {

// Loops of the optimisers over plain memory, one thread's share each. This file alone is compiled for several
// vector widths, the machine's is chosen at start, and no torch header is here (CMakeLists.txt: flags of its
// own). Products are never contracted and sums have a fixed order, so every variant gives the same bits.

// Constants of one tensor's update in the number format of the tensor; see MomentUpdate.
template <typename T>
struct MomentRates {
  T beta1, oneMinusBeta1, beta2, oneMinusBeta2, eps, scale, decay, step, rootScale, added;
};

// g <- scale * gradient ; v <- beta2 v + (1-beta2) g^2 ; m <- beta1 m + (1-beta1) g ;
// p <- decay * p - step * m / (sqrt(v) * rootScale + eps) - added * decay * p, for `count` elements. The
// arrays do not overlap.
void updateMoments(float* p, const float* gradient, float* m, float* v, std::int64_t count,
                   const MomentRates<float>& rates);
void updateMoments(double* p, const double* gradient, double* m, double* v, std::int64_t count,
                   const MomentRates<double>& rates);

// Sum of squares in float64.
double sumOfSquares(const float* values, std::int64_t count);
double sumOfSquares(const double* values, std::int64_t count);

}  // namespace fathom
