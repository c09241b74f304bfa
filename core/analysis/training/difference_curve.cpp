// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/difference_curve.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/statistics/seed_summary.h"
#include "core/base/errors/name_list.h"
#include "core/base/options/field_builder.h"

namespace fathom {

namespace {

constexpr std::size_t kLeastLetters = 4;  // of a UUID, as everywhere

// Half the length of a curve's band at a point; NaN where it has none.
double errorAt(const TrainingCurve& curve, std::size_t i) {
  if (curve.upper.empty() || curve.count[i] < 2) return std::nan("");
  return curve.upper[i] - curve.value[i];
}

DifferenceCurve differenceOf(const TrainingCurve& curve, const TrainingCurve& base) {
  std::map<double, std::size_t> places;
  for (std::size_t i = 0; i < base.x.size(); ++i)
    if (std::isfinite(base.value[i])) places.emplace(base.x[i], i);
  DifferenceCurve result{curve.name, curve.runs, curve.look, {}, {}, {}, {}};
  bool banded = false;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const auto place = places.find(curve.x[i]);
    if (place == places.end() || !std::isfinite(curve.value[i])) continue;
    const double difference = curve.value[i] - base.value[place->second];
    const double error = std::hypot(errorAt(curve, i), errorAt(base, place->second));
    result.x.push_back(curve.x[i]);
    result.value.push_back(difference);
    result.lower.push_back(difference - error);
    result.upper.push_back(difference + error);
    banded = banded || std::isfinite(error);
  }
  if (!banded) {
    result.lower.clear();
    result.upper.clear();
  }
  return result;
}

std::size_t placeOf(const TrainingCurveResult& curves, const std::string& word) {
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    const TrainingCurve& curve = curves.curves[i];
    const bool named = std::any_of(curve.runs.begin(), curve.runs.end(), [&](const std::string& uuid) {
      return word.size() >= kLeastLetters && uuid.starts_with(word);
    });
    if (named || curve.name == word) return i;
  }
  return curves.curves.size();
}

}  // namespace

Result<DifferenceCurveResult> differenceCurves(const TrainingCurveResult& curves, std::size_t base) {
  DifferenceCurveResult result;
  const TrainingCurve& from = curves.curves[base];
  result.metric = curves.metric;
  result.base = from.name;
  result.notes = curves.notes;
  std::vector<std::string> apart;
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    if (i == base) continue;
    DifferenceCurve curve = differenceOf(curves.curves[i], from);
    if (curve.x.empty()) {
      apart.push_back(curve.name);
    } else {
      result.curves.push_back(std::move(curve));
    }
  }
  if (result.curves.empty())
    return dataError(Phrase::tr("%1: no run has a finite value at an update at which %2 has one")(
                         curves.request.metric, from.name),
                     Phrase::tr("choose a metric that both were measured by at the same updates"));
  if (!apart.empty())
    result.notes.push_back(Phrase::tr("no update in common with %1: %2")(from.name, nameList(apart)));
  return result;
}

std::vector<OptionField> differenceCurveFields() {
  return {
      textField("metric", Phrase::tr("Metric").english,
                Phrase::tr("The scalar whose differences are drawn, by its name in the run, such as "
                           "loss, valid.nll or valid.bleu.")
                    .english,
                "loss"),
      textField("base", Phrase::tr("Compared with").english,
                Phrase::tr("Name of the run, or beginning of its UUID, that the others are compared with; "
                           "empty: the first one.")
                    .english),
      realField("smoothing", Phrase::tr("Smoothing").english,
                Phrase::tr("Weight of the debiased moving average that each curve gets before the "
                           "difference.")
                    .english,
                0)
          .between(0, 0.999)
          .off(0.0),
      groupSeedsField()};
}

Result<DifferenceCurveResult> runDifferenceCurves(AnalysisSource& source, const OptionValues& options) {
  TrainingCurveRequest request;
  request.metric = options.text("metric");
  request.smoothing = options.real("smoothing");
  request.groupSeeds = options.flag("group_seeds");
  request.band = CurveBand::StandardError;
  if (source.runs().empty()) return noRunChosen();
  std::vector<RunCurve> curves;
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(RunCurve curve, source.curve(run, request.metric));
    curve.dropped.clear();  // what was thrown away is no part of a difference
    curves.push_back(std::move(curve));
  }
  const TrainingCurveResult result = computeTrainingCurve(curves, request);
  if (result.curves.size() < 2)
    return usageError(request.groupSeeds
                          ? Phrase::tr("the runs differ in nothing but the seed: there is nothing to compare")
                          : Phrase::tr("one run has no difference"),
                      Phrase::tr("choose two or more runs"));
  const std::string base = options.text("base");
  const std::size_t place = base.empty() ? 0 : placeOf(result, base);
  if (place < result.curves.size()) return differenceCurves(result, place);
  std::vector<std::string> names;
  for (const TrainingCurve& curve : result.curves) names.push_back(curve.name);
  return usageError(Phrase::tr("\"%1\" is none of the runs of the figure")(base),
                    Phrase::tr("they are %1")(nameList(names)));
}

}  // namespace fathom
