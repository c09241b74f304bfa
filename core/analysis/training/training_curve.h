// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/errors/word_table.h"

namespace fathom {

// Everything that curves can be drawn over: in the window, in figures and in the shell (`fathom curves --x`).
enum class CurveAxis { Step, Time, Epoch, Tokens, Clock, Metric };
inline constexpr std::size_t kCurveAxisCount = 6;
enum class CurveBand { None, Deviation, StandardError, Confidence95, Range };
inline constexpr EnumWord<CurveAxis> kCurveAxes[] = {
    {CurveAxis::Step, "step", Phrase::tr("updates").english},
    {CurveAxis::Time, "time", Phrase::tr("time").english},
    {CurveAxis::Clock, "clock", Phrase::tr("date and time").english},
    {CurveAxis::Epoch, "epoch", Phrase::tr("epochs").english},
    {CurveAxis::Tokens, "tokens", Phrase::tr("tokens").english},
    {CurveAxis::Metric, "metric", Phrase::tr("another metric").english}};
inline constexpr EnumWord<CurveBand> kCurveBands[] = {
    {CurveBand::Deviation, "sd", Phrase::tr("standard deviation").english},
    {CurveBand::StandardError, "stderr", Phrase::tr("standard error").english},
    {CurveBand::Confidence95, "ci95", Phrase::tr("95 % interval").english},
    {CurveBand::Range, "range", Phrase::tr("minimum to maximum").english},
    {CurveBand::None, "none", Phrase::tr("no band").english}};

// The x values of a curve on an axis: updates, seconds since the start, epochs, tokens, seconds since 1970,
// or RunCurve::along. As many as there are steps, NaN where they are not known.
std::vector<double> curvePositions(const RunCurve& curve, CurveAxis axis);
std::vector<double> tailPositions(const DroppedTail& tail, CurveAxis axis);
// The values of another metric of a run as positions: that at a step, else the last finite one before it; NaN
// before the first. The steps, and those that are asked for, do not fall. Both
// arrays are borrowed.
class MetricPositions {
 public:
  MetricPositions(const std::vector<double>& steps, const std::vector<double>& values)
      : m_steps(steps), m_values(values) {}
  double at(double step);

 private:
  const std::vector<double>&m_steps, &m_values;
  std::size_t m_next = 0;
  double m_last = std::numeric_limits<double>::quiet_NaN();
};
// Places the points of a curve over another metric of its run (MetricPositions), and sorts them by that.
// Points before its first value are left out, as are those that a resume threw away; false where none is
// left.
bool placeAlong(RunCurve& curve, const RunCurve& axis);

// Points that a resumed run threw away, as recorded.
struct CurveTail {
  std::vector<double> x, value;
};

// One line of a training-curve figure: a single run, or the mean over the runs of a group.
struct TrainingCurve {
  std::string name;
  std::vector<std::string> runs;     // members, in the order they came
  std::vector<RunState> outcomes;    // of the members
  int look = -1;                     // of the run, or the lowest of the members; -1 = by its place
  std::vector<double> x;             // mean position of the members that have the step
  std::vector<double> value;         // the value, or the mean over members
  std::vector<double> raw;           // before smoothing; empty without smoothing
  std::vector<double> lower, upper;  // band; empty for a single run or CurveBand::None
  std::vector<int> count;            // members with a finite value at this point
  std::vector<CurveTail> dropped;    // of a single run
  int failed = 0;  // members whose last value is missing or not finite, or that are failures
};

// Values of single updates are; a score of a validation is the mean of many examples, and a rate is what it
// is told to be: smoothing would only make them late.
bool isNoisyMetric(std::string_view metric);

struct TrainingCurveRequest {
  std::string metric = "loss";  // one
  CurveAxis axis = CurveAxis::Step;
  std::string axisMetric;  // of CurveAxis::Metric
  CurveBand band = CurveBand::None;
  double smoothing = 0;  // weight of the debiased average, 0 ... 0.999; applied to each run before averaging,
                         // of noisy metrics only
  bool groupSeeds = false;  // runs of one group become one line with a band
};

struct TrainingCurveResult {
  TrainingCurveRequest request;
  Metric metric;      // what is true of all curves (commonMetric)
  Metric axisMetric;  // of CurveAxis::Metric; no id: the request's
  std::vector<TrainingCurve> curves;
  std::vector<Phrase> notes;  // what a caption must say: "2 of 5 runs diverged", "12 non-finite values"
};

// Members are aligned by step, or by what they are placed along; there is no interpolation: at each step the
// mean is over the runs that have a finite value there. Curves of a group must share steps for that to mean
// anything, which runs of one configuration do.
TrainingCurveResult computeTrainingCurve(std::span<const RunCurve> curves,
                                         const TrainingCurveRequest& request);

// The options metric, axis, axis_metric, smoothing, group_seeds, group_by, band; shared with the figure of
// the same name.
std::vector<OptionField> trainingCurveFields();
TrainingCurveRequest trainingCurveRequest(const OptionValues& options);
// Reads the curves of the chosen runs and computes; one result for each metric, which commas separate. Of
// several metrics a run need not have all: each is about the runs that have it, and at least one has. A run
// that does not tell its positions on the axis is left out and named in the notes; a data error where all
// are.
Result<std::vector<TrainingCurveResult>> runTrainingCurves(AnalysisSource& source,
                                                           const OptionValues& options);

}  // namespace fathom
