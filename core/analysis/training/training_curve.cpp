// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/training_curve.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>

#include "core/analysis/statistics/curve_smoothing.h"
#include "core/analysis/statistics/run_grouping.h"
#include "core/analysis/statistics/seed_summary.h"
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
    const std::vector<double> values =
        request.smoothing > 0 ? smoothCurve(run->values, request.smoothing) : run->values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      StepMembers& at = steps[run->steps[i]];
      at.values.push_back(values[i]);
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
  std::vector<double> tokens = curve.tokens;
  tokens.resize(curve.steps.size(), kNaN);
  return tokens;
}

}  // namespace

std::vector<double> curvePositions(const RunCurve& curve, CurveAxis axis) {
  return positionsOn(curve, axis);
}

std::vector<double> tailPositions(const DroppedTail& tail, CurveAxis axis) {
  return positionsOn(tail, axis);
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
  request.band = valueOf(kCurveBands, options.text("band"));
  request.smoothing = options.real("smoothing");
  request.groupSeeds = options.flag("group_seeds");
  return request;
}

namespace {

// Keeps the points whose positions on an axis are known (those of an import may not be).
void keepKnown(const std::vector<double>& positions, std::initializer_list<std::vector<double>*> columns,
               std::vector<double>& tokens) {
  tokens.resize(positions.size(), kNaN);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (!std::isnan(positions[i])) kept.push_back(i);
  if (kept.size() == positions.size()) return;
  for (std::vector<double>* column : columns) {
    std::vector<double> values;
    for (const std::size_t i : kept) values.push_back((*column)[i]);
    *column = std::move(values);
  }
  std::vector<double> left;
  for (const std::size_t i : kept) left.push_back(tokens[i]);
  tokens = std::move(left);
}

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

Result<RunCurve> placedCurve(AnalysisSource& source, const std::string& run,
                             const TrainingCurveRequest& request,
                             const std::map<std::string, std::string>& groups) {
  FATHOM_TRY(RunCurve curve, source.curve(run, request.metric));
  if (const auto group = groups.find(run); group != groups.end())
    curve.group = curve.groupTitle = group->second;
  if (request.axis == CurveAxis::Step) return curve;
  const bool any = !curve.values.empty();
  keepKnown(std::vector<double>(curvePositions(curve, request.axis)),
            {&curve.steps, &curve.seconds, &curve.epochs, &curve.values}, curve.tokens);
  for (DroppedTail& tail : curve.dropped)
    keepKnown(std::vector<double>(tailPositions(tail, request.axis)),
              {&tail.steps, &tail.seconds, &tail.epochs, &tail.values}, tail.tokens);
  if (!any || !curve.values.empty()) return curve;
  return dataError(request.axis == CurveAxis::Epoch
                       ? Phrase::tr("what was imported as %1 does not tell its epochs")(curve.name)
                   : request.axis == CurveAxis::Tokens
                       ? Phrase::tr("what was imported as %1 does not tell its tokens")(curve.name)
                       : Phrase::tr("what was imported as %1 does not tell its times")(curve.name),
                   Phrase::tr("draw it against updates"));
}

}  // namespace

Result<std::vector<TrainingCurveResult>> runTrainingCurves(AnalysisSource& source,
                                                           const OptionValues& options) {
  TrainingCurveRequest request = trainingCurveRequest(options);
  FATHOM_TRY(const RunGrouping grouping,
             RunGrouping::parse(request.groupSeeds ? options.text("group_by") : std::string()));
  if (source.runs().empty()) return noRunChosen();
  FATHOM_TRY(const auto groups, groupsOfRuns(source, grouping));
  const std::string asked = request.metric;
  const auto metrics = splitAt(asked, ',');
  std::vector<TrainingCurveResult> results;
  for (const std::string_view metric : metrics) {
    request.metric = metric;
    std::vector<RunCurve> curves;
    std::optional<Error> missing;
    for (const std::string& run : source.runs()) {
      Result<RunCurve> curve = placedCurve(source, run, request, groups);
      if (curve.ok())
        curves.push_back(std::move(*curve));
      else if (metrics.size() == 1)
        return curve.error();
      else
        missing = curve.error();
    }
    if (curves.empty()) return *missing;
    results.push_back(computeTrainingCurve(curves, request));
  }
  return results;
}

}  // namespace fathom
