// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/training_curve.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "core/analysis/statistics/curve_smoothing.h"
#include "core/analysis/statistics/run_grouping.h"
#include "core/analysis/statistics/seed_summary.h"
#include "core/base/errors/error_key.h"
#include "core/base/json/phrase_json.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/metric_kinds.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

bool failedRun(const RunCurve& curve) {
  if (isFailure(curve.outcome)) return true;
  return curve.values.empty() || !std::isfinite(curve.values.back());
}

TrainingCurve singleRun(const RunCurve& run, const TrainingCurveRequest& request) {
  TrainingCurve result;
  result.name = run.name;
  result.runs = {run.run};
  result.outcomes = {run.outcome};
  result.look = run.look;
  result.x = curvePositions(run, request.axis);
  result.value = run.values;
  if (request.smoothing > 0) {
    result.raw = run.values;
    result.value = smoothCurve(run.values, request.smoothing);
  }
  for (const double value : run.values) result.count.push_back(std::isfinite(value) ? 1 : 0);
  for (const DroppedTail& tail : run.dropped)
    result.dropped.push_back({tailPositions(tail, request.axis), tail.values});
  result.failed = failedRun(run) ? 1 : 0;
  return result;
}

struct StepMembers {
  std::vector<double> values;
  double positions = 0;
  int present = 0;
};

void addBand(TrainingCurve& result, const SeedSummary& summary, CurveBand band) {
  double half = 0;
  switch (band) {
    case CurveBand::None:
      return;
    case CurveBand::Deviation:
      half = summary.deviation;
      break;
    case CurveBand::StandardError:
      half = summary.standardError;
      break;
    case CurveBand::Confidence95:
      half = summary.halfWidth95;
      break;
    case CurveBand::Range:
      result.lower.push_back(summary.minimum);
      result.upper.push_back(summary.maximum);
      return;
  }
  result.lower.push_back(summary.mean - half);
  result.upper.push_back(summary.mean + half);
}

TrainingCurve groupOf(const std::string& name, const std::vector<const RunCurve*>& members,
                      const TrainingCurveRequest& request) {
  TrainingCurve result;
  result.name = name;
  std::map<double, StepMembers> steps;
  for (const RunCurve* run : members) {
    result.runs.push_back(run->run);
    result.outcomes.push_back(run->outcome);
    if (result.look < 0 || (run->look >= 0 && run->look < result.look)) result.look = run->look;
    result.failed += failedRun(*run) ? 1 : 0;
    const std::vector<double> positions = curvePositions(*run, request.axis);
    const std::vector<double>& keys = run->along.empty() ? run->steps : run->along;
    const std::vector<double> values =
        request.smoothing > 0 ? smoothCurve(run->values, request.smoothing) : run->values;
    for (std::size_t i = 0, next = 0; i < values.size(); i = next) {
      double sum = values[i];  // several points of a run at one place are one member
      for (next = i + 1; next < values.size() && keys[next] == keys[i]; ++next) sum += values[next];
      StepMembers& at = steps[keys[i]];
      at.values.push_back(sum / static_cast<double>(next - i));
      at.positions += positions[i];
      ++at.present;
    }
  }
  for (const auto& [step, at] : steps) {
    const SeedSummary summary = summariseSeeds(at.values);
    result.x.push_back(at.positions / at.present);
    result.value.push_back(summary.mean);
    result.count.push_back(summary.finished);
    addBand(result, summary, request.band);
  }
  return result;
}

std::size_t nonFiniteCount(const RunCurve& curve) {
  return static_cast<std::size_t>(std::count_if(curve.values.begin(), curve.values.end(),
                                                [](double value) { return !std::isfinite(value); }));
}

void addNotes(TrainingCurveResult& result, std::span<const RunCurve> curves) {
  for (const TrainingCurve& curve : result.curves) {
    if (curve.failed == 0) continue;
    result.notes.push_back(Phrase::tr("%1: failed %2/%3")(curve.name, curve.failed, curve.runs.size()));
  }
  for (const TrainingCurve& curve : result.curves)
    if (!curve.dropped.empty())
      result.notes.push_back(Phrase::tr(
          "%1: what was thrown away when the run was resumed from an earlier update is faint")(curve.name));
  for (const RunCurve& curve : curves)
    if (const std::size_t bad = nonFiniteCount(curve); bad > 0)
      result.notes.push_back(Phrase::tr("%1: %2 values are not finite")(curve.name, bad));
}

}  // namespace

namespace {

template <typename Curve>
std::vector<double> positionsOn(const Curve& curve, CurveAxis axis) {
  if (axis == CurveAxis::Step) return curve.steps;
  if (axis == CurveAxis::Time) return curve.seconds;
  if (axis == CurveAxis::Epoch) return curve.epochs;
  std::vector<double> known;
  if (axis == CurveAxis::Tokens) known = curve.tokens;
  if (axis == CurveAxis::Clock) known = curve.clock;
  known.resize(curve.steps.size(), kNaN);
  return known;
}

using CurveColumns = std::vector<std::vector<double>*>;

CurveColumns columnsOf(RunCurve& curve) {
  return {&curve.steps,  &curve.seconds, &curve.epochs, &curve.values,
          &curve.tokens, &curve.clock,   &curve.along};
}

CurveColumns columnsOf(DroppedTail& tail) {
  return {&tail.steps, &tail.seconds, &tail.epochs, &tail.values, &tail.tokens, &tail.clock};
}

// Keeps these points of `all`, in this order; a column that is not known stays empty.
void choosePoints(const CurveColumns& columns, std::size_t all, const std::vector<std::size_t>& chosen) {
  for (std::vector<double>* column : columns) {
    if (column->size() != all) continue;
    std::vector<double> values;
    values.reserve(chosen.size());
    for (const std::size_t i : chosen) values.push_back((*column)[i]);
    *column = std::move(values);
  }
}

// Keeps the points whose positions on an axis are known (those of an import may not be).
template <typename Curve>
void keepKnown(Curve& curve, const std::vector<double>& positions) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (!std::isnan(positions[i])) kept.push_back(i);
  if (kept.size() < positions.size()) choosePoints(columnsOf(curve), positions.size(), kept);
}

}  // namespace

std::vector<double> curvePositions(const RunCurve& curve, CurveAxis axis) {
  return axis == CurveAxis::Metric ? curve.along : positionsOn(curve, axis);
}

std::vector<double> tailPositions(const DroppedTail& tail, CurveAxis axis) {
  return positionsOn(tail, axis);
}

double MetricPositions::at(double step) {
  for (; m_next < m_steps.size() && m_steps[m_next] <= step; ++m_next)
    if (std::isfinite(m_values[m_next])) m_last = m_values[m_next];
  return m_last;
}

bool placeAlong(RunCurve& curve, const RunCurve& axis) {
  curve.along.assign(curve.steps.size(), kNaN);
  curve.dropped.clear();
  MetricPositions positions(axis.steps, axis.values);
  std::transform(curve.steps.begin(), curve.steps.end(), curve.along.begin(),
                 [&positions](double step) { return positions.at(step); });
  keepKnown(curve, std::vector<double>(curve.along));
  std::vector<std::size_t> order(curve.along.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&curve](std::size_t a, std::size_t b) { return curve.along[a] < curve.along[b]; });
  choosePoints(columnsOf(curve), order.size(), order);
  return !curve.along.empty();
}

bool isNoisyMetric(std::string_view metric) {
  return !isValidationMetric(metric) && metric != "lr";
}

TrainingCurveResult computeTrainingCurve(std::span<const RunCurve> curves,
                                         const TrainingCurveRequest& asked) {
  TrainingCurveRequest request = asked;
  if (!isNoisyMetric(request.metric)) request.smoothing = 0;
  TrainingCurveResult result;
  result.request = request;
  if (!curves.empty()) result.metric = curves.front().metric;
  for (const RunCurve& curve : curves) result.metric = commonMetric(result.metric, curve.metric);
  std::vector<std::string> order;
  std::map<std::string, std::vector<const RunCurve*>> groups;
  for (const RunCurve& curve : curves) {
    const bool alone = !request.groupSeeds || curve.group.empty();
    const std::string key = alone ? "run " + curve.run : "group " + curve.group;
    if (groups.find(key) == groups.end()) order.push_back(key);
    groups[key].push_back(&curve);
  }
  for (const std::string& key : order) {
    const std::vector<const RunCurve*>& members = groups[key];
    if (members.size() == 1) {
      result.curves.push_back(singleRun(*members.front(), request));
    } else {
      std::vector<std::string> names;
      for (const RunCurve* run : members) names.push_back(run->name);
      const std::string& title = members.front()->groupTitle;
      result.curves.push_back(groupOf(title.empty() ? seedGroupName(names) : title, members, request));
    }
  }
  addNotes(result, curves);
  return result;
}

std::vector<OptionField> trainingCurveFields() {
  return {
      textField("metric", Phrase::tr("Metric").english,
                Phrase::tr("The scalar to draw, by its name in the run, such as loss, valid.ppl, valid.bleu "
                           "or lr; several with commas stand side by side.")
                    .english,
                "loss"),
      choiceField("axis", Phrase::tr("Horizontal axis").english,
                  Phrase::tr("What the curves are drawn against.").english, choicesOf(kCurveAxes)),
      textField("axis_metric", Phrase::tr("Metric of the axis").english,
                Phrase::tr("The metric whose value at the same step, else the last one before it, is the "
                           "position of a point, by its name in the run.")
                    .english)
          .when("axis", {"metric"}),
      realField(
          "smoothing", Phrase::tr("Smoothing").english,
          Phrase::tr("Weight of the debiased moving average; the raw values stay visible behind.").english, 0)
          .between(0, 0.999)
          .off(0.0),
      groupSeedsField(),
      textField(
          "group_by", Phrase::tr("Group by").english,
          Phrase::tr("Options (layers, task), or a pattern of names (name:*_s#: * says the group, # is a "
                     "number that tells its runs apart); empty: runs that differ only in the seed.")
              .english)
          .when("group_seeds", {true}),
      choiceField("band", Phrase::tr("Band").english,
                  Phrase::tr("What the band around the mean of several seeds shows.").english,
                  choicesOf(kCurveBands))
          .when("group_seeds", {true})};
}

TrainingCurveRequest trainingCurveRequest(const OptionValues& options) {
  TrainingCurveRequest request;
  request.metric = options.text("metric");
  request.axis = valueOf(kCurveAxes, options.text("axis"));
  if (request.axis == CurveAxis::Metric) request.axisMetric = options.text("axis_metric");
  request.band = valueOf(kCurveBands, options.text("band"));
  request.smoothing = options.real("smoothing");
  request.groupSeeds = options.flag("group_seeds");
  return request;
}

namespace {

// Groups of the runs by their ids; none where only seeds tell runs apart.
Result<std::map<std::string, std::string>> groupsOfRuns(AnalysisSource& source, const RunGrouping& grouping) {
  std::map<std::string, std::string> groups;
  if (grouping.kind() == RunGrouping::Kind::Seeds) return groups;
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(const RunFacts facts, source.facts(run));
    groups[run] = grouping.groupOf(facts.name, facts.options);
  }
  return groups;
}

// Says that a run has points, and no position for any of them.
Phrase notTold(const RunCurve& curve, const TrainingCurveRequest& request) {
  if (request.axis == CurveAxis::Metric)
    return Phrase::tr("%1 has no value of %2 at its steps")(curve.name, request.axisMetric);
  if (request.axis == CurveAxis::Epoch)
    return Phrase::tr("what was imported as %1 does not tell its epochs")(curve.name);
  if (request.axis == CurveAxis::Tokens)
    return Phrase::tr("what was imported as %1 does not tell its tokens")(curve.name);
  return Phrase::tr("what was imported as %1 does not tell its times")(curve.name);
}

// The curves of a metric of the runs that have it. Those that the axis does not place are in `left`;
// `missing` is said by the last that has no such metric.
struct PlacedCurves {
  std::vector<RunCurve> curves;
  std::vector<Phrase> left;
  Metric axisMetric;  // of CurveAxis::Metric
  std::optional<Error> missing;
};

// Leaves out the points without a position; false where no point of a curve that has some is left.
bool placeOnAxis(AnalysisSource& source, const TrainingCurveRequest& request, RunCurve& curve,
                 Metric& axisMetric) {
  if (request.axis == CurveAxis::Step || curve.values.empty()) return true;
  if (request.axis == CurveAxis::Metric) {
    const auto axis = source.curve(curve.run, request.axisMetric);
    if (!axis.ok()) return false;
    axisMetric = axisMetric.id.empty() ? axis->metric : commonMetric(axisMetric, axis->metric);
    return placeAlong(curve, *axis);
  }
  keepKnown(curve, curvePositions(curve, request.axis));
  for (DroppedTail& tail : curve.dropped) keepKnown(tail, tailPositions(tail, request.axis));
  std::erase_if(curve.dropped, [](const DroppedTail& tail) { return tail.values.empty(); });
  return !curve.values.empty();
}

PlacedCurves placedCurves(AnalysisSource& source, const TrainingCurveRequest& request,
                          const std::map<std::string, std::string>& groups) {
  PlacedCurves placed;
  for (const std::string& run : source.runs()) {
    Result<RunCurve> curve = source.curve(run, request.metric);
    if (!curve.ok()) {
      placed.missing = curve.error();
      continue;
    }
    if (const auto group = groups.find(run); group != groups.end())
      curve->group = curve->groupTitle = group->second;
    if (placeOnAxis(source, request, *curve, placed.axisMetric)) {
      placed.curves.push_back(std::move(*curve));
    } else {
      placed.left.push_back(notTold(*curve, request));
    }
  }
  return placed;
}

}  // namespace

Result<std::vector<TrainingCurveResult>> runTrainingCurves(AnalysisSource& source,
                                                           const OptionValues& options) {
  TrainingCurveRequest request = trainingCurveRequest(options);
  FATHOM_TRY(const RunGrouping grouping,
             RunGrouping::parse(request.groupSeeds ? options.text("group_by") : std::string()));
  if (source.runs().empty()) return noRunChosen();
  if (request.axis == CurveAxis::Metric && request.axisMetric.empty())
    return aboutKey("axis_metric", usageError(Phrase::tr("no metric is named that is the axis"),
                                              Phrase::tr("give axis_metric the name of one")));
  FATHOM_TRY(const auto groups, groupsOfRuns(source, grouping));
  const std::string asked = request.metric;
  const auto metrics = splitAt(asked, ',');
  std::vector<TrainingCurveResult> results;
  for (const std::string_view metric : metrics) {
    request.metric = metric;
    PlacedCurves placed = placedCurves(source, request, groups);
    if (placed.missing && (metrics.size() == 1 || (placed.curves.empty() && placed.left.empty())))
      return *placed.missing;
    if (placed.curves.empty()) {
      const Phrase why = placed.left.front();
      return dataError(why, Phrase::tr("draw it against updates"));
    }
    results.push_back(computeTrainingCurve(placed.curves, request));
    results.back().axisMetric = placed.axisMetric;
    for (const Phrase& each : placed.left) results.back().notes.push_back(Phrase::tr("left out: %1")(each));
  }
  return results;
}

}  // namespace fathom
