// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/training/training_curve.h"

namespace fathom {

// How far curves are away from one of them, update by update (docs/analyses.md §13).
struct DifferenceCurve {
  std::string name;
  std::vector<std::string> runs;     // of the curve that is compared
  int look = -1;                     // as TrainingCurve::look
  std::vector<double> x;             // updates that both have
  std::vector<double> value;         // the curve less the base, in the metric's unit
  std::vector<double> lower, upper;  // ± the standard error of the difference of two means; empty without
};

struct DifferenceCurveResult {
  Metric metric;
  std::string base;  // name of the curve that the others are compared with
  std::vector<DifferenceCurve> curves;
  std::vector<Phrase> notes;
};

// Differences from the curve at `base`, which has itself no line. Only updates at which both have a finite
// value count: nothing is interpolated. Bands need two runs with a finite value on both sides, and `curves`
// with CurveBand::StandardError. Data error where no curve shares an update with the base.
Result<DifferenceCurveResult> differenceCurves(const TrainingCurveResult& curves, std::size_t base);

// The options metric, base, smoothing, group_seeds.
std::vector<OptionField> differenceCurveFields();
// Reads the curves of the chosen runs and computes; "base" is a name or the beginning of a UUID (4 letters or
// more) of one of them, empty for the first. Usage error for a base that is none of them and for fewer than
// two curves.
Result<DifferenceCurveResult> runDifferenceCurves(AnalysisSource& source, const OptionValues& options);

}  // namespace fathom
