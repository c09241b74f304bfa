// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/band_rows.h"

#include <algorithm>
#include <limits>

#include "core/nn/vector_clones.h"

namespace fathom {

namespace {

constexpr std::int64_t kLanes = 8;

template <typename T>
[[gnu::always_inline]] inline T joinLanes(const T (&lanes)[kLanes]) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

template <typename T>
[[gnu::always_inline]] inline T dotLanes(const T* a, const T* b, std::int64_t count) {
  T lanes[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::int64_t l = 0; l < kLanes; ++l) lanes[l] += a[i + l] * b[i + l];
  for (std::int64_t l = 0; i < count; ++i, ++l) lanes[l] += a[i] * b[i];
  return joinLanes(lanes);
}

template <typename T>
[[gnu::always_inline]] inline T sumLanes(const T* row, std::int64_t count) {
  T lanes[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::int64_t l = 0; l < kLanes; ++l) lanes[l] += row[i + l];
  for (std::int64_t l = 0; i < count; ++i, ++l) lanes[l] += row[i];
  return joinLanes(lanes);
}

template <typename T>
[[gnu::always_inline]] inline T topLanes(const T* row, std::int64_t count) {
  T lanes[kLanes];
  std::fill(lanes, lanes + kLanes, -std::numeric_limits<T>::infinity());
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::int64_t l = 0; l < kLanes; ++l) lanes[l] = lanes[l] >= row[i + l] ? lanes[l] : row[i + l];
  for (std::int64_t l = 0; i < count; ++i, ++l) lanes[l] = lanes[l] >= row[i] ? lanes[l] : row[i];
  T top = lanes[0];
  for (std::int64_t l = 1; l < kLanes; ++l) top = top >= lanes[l] ? top : lanes[l];
  return top;
}

// A row whose indices have the same upper word.
template <typename T>
[[gnu::always_inline]] inline void maskPart(T* row, std::int64_t count, const MaskRule& rule,
                                            std::uint64_t first, T scale) {
  const std::uint32_t key = rule.key(first), start = static_cast<std::uint32_t>(first);
  const std::uint32_t threshold = rule.threshold, high = rule.high;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t bits = mixBits(mixBits((start + static_cast<std::uint32_t>(i)) ^ key) + high);
    row[i] *= bits >= threshold ? scale : T(0);
  }
}

FATHOM_VECTOR_CLONES void maskFloatPart(float* row, std::int64_t count, const MaskRule& rule,
                                        std::uint64_t first, float scale) {
  maskPart<float>(row, count, rule, first, scale);
}

FATHOM_VECTOR_CLONES void scaleShiftFloats(float* row, std::int64_t count, float scale, float shift) {
  for (std::int64_t i = 0; i < count; ++i) row[i] = row[i] * scale + shift;
}
FATHOM_VECTOR_CLONES float largestFloat(const float* row, std::int64_t count) {
  return topLanes(row, count);
}
FATHOM_VECTOR_CLONES float sumOfFloats(const float* row, std::int64_t count) {
  return sumLanes(row, count);
}
FATHOM_VECTOR_CLONES float dotOfFloats(const float* a, const float* b, std::int64_t count) {
  return dotLanes(a, b, count);
}
FATHOM_VECTOR_CLONES void softmaxSlopeFloats(const float* p, float* gradient, std::int64_t count, float mean,
                                             float scale) {
  for (std::int64_t i = 0; i < count; ++i) gradient[i] = p[i] * (gradient[i] - mean) * scale;
}

// Entries before the upper word of the index changes.
std::int64_t beforeTurn(std::uint64_t first, std::int64_t count) {
  const std::uint64_t left = (std::uint64_t{1} << 32) - (first & 0xFFFFFFFFu);
  return static_cast<std::int64_t>(std::min<std::uint64_t>(left, static_cast<std::uint64_t>(count)));
}

}  // namespace

void scaleShift(float* row, std::int64_t count, float scale, float shift) {
  scaleShiftFloats(row, count, scale, shift);
}
void scaleShift(double* row, std::int64_t count, double scale, double shift) {
  for (std::int64_t i = 0; i < count; ++i) row[i] = row[i] * scale + shift;
}

float largest(const float* row, std::int64_t count) {
  return largestFloat(row, count);
}
double largest(const double* row, std::int64_t count) {
  return topLanes(row, count);
}

float sumOf(const float* row, std::int64_t count) {
  return sumOfFloats(row, count);
}
double sumOf(const double* row, std::int64_t count) {
  return sumLanes(row, count);
}

float dotOf(const float* a, const float* b, std::int64_t count) {
  return dotOfFloats(a, b, count);
}
double dotOf(const double* a, const double* b, std::int64_t count) {
  return dotLanes(a, b, count);
}

void softmaxSlope(const float* p, float* gradient, std::int64_t count, float mean, float scale) {
  softmaxSlopeFloats(p, gradient, count, mean, scale);
}
void softmaxSlope(const double* p, double* gradient, std::int64_t count, double mean, double scale) {
  for (std::int64_t i = 0; i < count; ++i) gradient[i] = p[i] * (gradient[i] - mean) * scale;
}

void maskRow(float* row, std::int64_t count, const MaskRule& rule, std::uint64_t first, float scale) {
  const std::int64_t before = beforeTurn(first, count);
  maskFloatPart(row, before, rule, first, scale);
  if (before < count)
    maskFloatPart(row + before, count - before, rule, first + static_cast<std::uint64_t>(before), scale);
}
void maskRow(double* row, std::int64_t count, const MaskRule& rule, std::uint64_t first, double scale) {
  const std::int64_t before = beforeTurn(first, count);
  maskPart<double>(row, before, rule, first, scale);
  if (before < count)
    maskPart<double>(row + before, count - before, rule, first + static_cast<std::uint64_t>(before), scale);
}

}  // namespace fathom
