// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/phrase.h"
#include "core/base/result.h"

namespace fathom {

enum class CurveAxis { Step, Time, Epoch };
enum class CurveBand { None, Deviation, StandardError, Confidence95, Range };
// "step", "time", "epoch"; "none", "sd", "stderr", "ci95", "range". Usage error naming the word otherwise.
const char* curveAxisName(CurveAxis axis);
const char* curveBandName(CurveBand band);
Result<CurveAxis> curveAxisFromName(const std::string& name);
Result<CurveBand> curveBandFromName(const std::string& name);

// The x values of a curve on an axis: updates, seconds since the start, epochs.
std::vector<double> curvePositions(const RunCurve& curve, CurveAxis axis);

// One line of a training-curve figure: a single run, or the mean over the runs of a group.
struct TrainingCurve {
  std::string name;
  std::vector<std::string> runs;      // members, in the order they came
  std::vector<std::string> outcomes;  // of the members
  std::vector<double> x;              // mean position of the members that have the step
  std::vector<double> value;          // the value, or the mean over members
  std::vector<double> raw;            // before smoothing; empty without smoothing
  std::vector<double> lower, upper;   // band; empty for a single run or CurveBand::None
  std::vector<int> count;             // members with a finite value at this point
  int failed = 0;                     // members whose last value is missing or not finite, or that diverged
};

struct TrainingCurveRequest {
  std::string metric = "loss";
  CurveAxis axis = CurveAxis::Step;
  CurveBand band = CurveBand::None;
  double smoothing = 0;  // weight of the debiased average, 0 ... 0.999; applied to each run before averaging
  bool groupSeeds = false;  // runs of one group become one line with a band
};

struct TrainingCurveResult {
  TrainingCurveRequest request;
  Metric metric;  // of the first curve
  std::vector<TrainingCurve> curves;
  std::vector<Phrase> notes;  // what a caption must say: "2 of 5 runs diverged", "12 non-finite values"
};

// Members are aligned by step; there is no interpolation: at each step the mean is over the runs that have a
// finite value there. Curves of a group must share steps for that to mean anything, which runs of one
// configuration do.
TrainingCurveResult computeTrainingCurve(std::span<const RunCurve> curves,
                                         const TrainingCurveRequest& request);

// The options metric, axis, smoothing, group_seeds, band; shared with the figure of the same name.
std::vector<OptionField> trainingCurveFields();
Result<TrainingCurveRequest> trainingCurveRequest(const OptionValues& options);
// Reads the curves of the chosen runs and computes.
Result<TrainingCurveResult> runTrainingCurve(AnalysisSource& source, const OptionValues& options);

}  // namespace fathom
