// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/state_positions.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors/error_key.h"
#include "core/base/options/metric_kinds.h"

namespace fathom {

namespace {

bool anyFinite(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

// Metrics of training stand at more updates than those of validations.
std::vector<std::string> likelyMetrics(const RunFacts& facts) {
  std::vector<std::string> names = {"loss"}, later;
  for (const auto& [name, value] : facts.last) (isValidationMetric(name) ? later : names).push_back(name);
  names.insert(names.end(), later.begin(), later.end());
  return names;
}

Result<StatePositions> alongMetric(AnalysisSource& source, const std::string& run,
                                   const std::vector<double>& steps, const std::string& metric) {
  if (metric.empty())
    return aboutKey("axis_metric", usageError(Phrase::tr("no metric is named that is the axis"),
                                              Phrase::tr("give axis_metric the name of one")));
  FATHOM_TRY(const RunCurve curve, source.curve(run, metric));
  StatePositions found{{}, curve.metric};
  MetricPositions positions(curve.steps, curve.values);
  for (const double step : steps) found.positions.push_back(positions.at(step));
  return found;
}

}  // namespace

Result<StatePositions> statePositions(AnalysisSource& source, const std::string& run,
                                      const std::vector<double>& steps, CurveAxis axis,
                                      const std::string& axisMetric) {
  if (axis == CurveAxis::Step) return StatePositions{steps, {}};
  if (axis == CurveAxis::Metric) return alongMetric(source, run, steps, axisMetric);
  const auto told = source.facts(run);
  const RunFacts facts = told.ok() ? *told : RunFacts{.run = run, .name = run};
  const bool fromStart = axis != CurveAxis::Clock;
  for (const std::string& metric : likelyMetrics(facts)) {
    const auto curve = source.curve(run, metric);
    if (!curve.ok()) continue;
    const std::vector<double> known = curvePositions(*curve, axis);
    if (!anyFinite(known)) continue;
    StatePositions found;
    MetricPositions positions(curve->steps, known);
    for (const double step : steps) {
      const double position = positions.at(step);
      found.positions.push_back(std::isnan(position) && fromStart ? 0 : position);
    }
    return found;
  }
  return dataError(Phrase::tr("run “%1” does not tell where its updates lie on that axis")(facts.name),
                   Phrase::tr("draw it against updates"));
}

}  // namespace fathom
