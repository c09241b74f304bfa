// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/mask_bits.h"

namespace fathom {

// Loops over rows of scores, for float (in the widest vectors there are) and double. Sums run in eight lanes
// and a fixed order: results know nothing of threads or vectors.

// row = row * scale + shift
void scaleShift(float* row, std::int64_t count, float scale, float shift);
void scaleShift(double* row, std::int64_t count, double scale, double shift);
// Largest entry, -infinity for none; NaNs are not looked for.
float largest(const float* row, std::int64_t count);
double largest(const double* row, std::int64_t count);
float sumOf(const float* row, std::int64_t count);
double sumOf(const double* row, std::int64_t count);
float dotOf(const float* a, const float* b, std::int64_t count);
double dotOf(const double* a, const double* b, std::int64_t count);
// gradient = p * (gradient - mean) * scale
void softmaxSlope(const float* p, float* gradient, std::int64_t count, float mean, float scale);
void softmaxSlope(const double* p, double* gradient, std::int64_t count, double mean, double scale);
// row *= dropout mask of entries [first, first + count): `scale` of what is kept
void maskRow(float* row, std::int64_t count, const MaskRule& rule, std::uint64_t first, float scale);
void maskRow(double* row, std::int64_t count, const MaskRule& rule, std::uint64_t first, double scale);

}  // namespace fathom
