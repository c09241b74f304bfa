// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/dependency/output_shift.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// The shift of one net of one depth: through the stack's top norm (equal to the stream where there is none),
// and of the stream itself.
struct DepthShift {
  OutputShift afterTopNorm, stream;
};

// One variant of the model under one change of its weights, over all depths (Admin Fig 4;
// docs/analyses.md §4).
struct ShiftSeries {
  std::string name;                            // "admin", or what the person called it
  std::string change;                          // "random" or "adam"
  std::string residual;                        // id of the measured stack's scheme
  bool sharedPrefixes = false;                 // read from one net of the largest depth; false: one net each
  std::vector<std::vector<DepthShift>> draws;  // [draw][depth]
};

struct ShiftSweep {
  std::string stack;  // "encoder", "decoder", "extra"
  double delta = 0, adamRate = 0;
  std::int64_t tokens = 0;           // real ones
  std::vector<double> depths;        // layers, rising
  std::vector<std::uint64_t> seeds;  // of the draws
  std::vector<ShiftSeries> series;
};

// Which of the numbers is meant. Place: after the top norm (the paper's law for Pre-LN needs it) or the
// stream. Measure: raw differences, streams divided by their per-token deviation, or Theorem 2's x̂.
enum class ShiftPlace { AfterTopNorm, Stream };
enum class ShiftMeasure { Raw, Normalised, Theorem2 };
enum class ShiftTokens { Real, All, PerRealToken };
struct ShiftReading {
  ShiftPlace place = ShiftPlace::AfterTopNorm;
  ShiftMeasure measure = ShiftMeasure::Raw;
  ShiftTokens tokens = ShiftTokens::Real;
};
double readShift(const DepthShift& shift, const ShiftReading& reading);

// Over the draws, per depth. A value that is not finite is left out of its depth and counted; a depth without
// any is NaN and left out of the fits.
struct ShiftSummary {
  std::vector<double> mean, deviation, lowest, highest;  // deviation n−1; NaN from one draw
  int notFinite = 0;
  ShiftFit linear, logarithmic;  // of the means, against N and ln N
  std::optional<double> ratio;   // mean at the largest depth / at the smallest; none for a shift of 0
};
ShiftSummary summariseShift(const ShiftSweep& sweep, const ShiftSeries& series, const ShiftReading& reading);

// At least three depths, from 1 up, each once; a usage error names what is wrong.
inline constexpr int kFewestShiftDepths = 3, kDeepestShift = 1000;
Status checkShiftDepths(std::span<const std::int64_t> depths);

// The result carries the summaries of the default reading for those who read it in a shell.
Json shiftSweepToJson(const ShiftSweep& sweep);
// A data error for anything that shiftSweepToJson did not write.
Result<ShiftSweep> shiftSweepFromJson(const Json& json);

}  // namespace fathom
