// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// Squared output shift of two forward passes over one batch (Admin Fig 4; docs/analyses.md §4).
struct OutputShift {
  struct Sums {
    double all = 0;       // pads included, as the released code
    double real = 0;      // real tokens only
    double perToken = 0;  // real / number of real tokens
  };
  Sums raw;         // Σ (x − x*)²
  Sums normalised;  // x divided by its per-token std (n−1), mean not removed
  Sums theorem2;    // mean removed, divided by the biased std: LN without gain
};
// before, after: [tokens, width] row-major; realToken [tokens], empty = all real.
Result<OutputShift> measureOutputShift(std::span<const double> before, std::span<const double> after,
                                       std::int64_t width, std::span<const std::uint8_t> realToken);

// Least squares of shift against N or ln N. R² is the squared Pearson correlation, nothing for a constant
// series.
struct ShiftFit {
  double slope = 0, intercept = 0;
  std::optional<double> r2;
};
ShiftFit fitAgainstDepth(std::span<const double> depth, std::span<const double> shift);
ShiftFit fitAgainstLogDepth(std::span<const double> depth, std::span<const double> shift);

}  // namespace fathom
