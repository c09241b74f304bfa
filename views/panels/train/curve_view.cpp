// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_view.h"

#include <algorithm>

#include "core/base/json/json_members.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

QStringList metricsIn(const Json& list) {
  QStringList metrics;
  if (list.is_array())
    for (const Json& metric : list)
      if (metric.is_string()) metrics << fromUtf8(metric.get<std::string>());
  return metrics;
}

Json listOf(const QStringList& metrics) {
  Json list = Json::array();
  for (const QString& metric : metrics) list.push_back(toUtf8(metric));
  return list;
}

int numberIn(const Json& view, const char* key, int largest, int otherwise) {
  if (!view.contains(key) || !view[key].is_number_integer()) return otherwise;
  return std::clamp(view[key].get<int>(), 0, largest);
}

bool flagIn(const Json& view, const char* key, bool otherwise) {
  return view.contains(key) && view[key].is_boolean() ? view[key].get<bool>() : otherwise;
}

// Sessions of before have the number of the axis.
void takeAxis(const Json& view, CurveChoices& choices) {
  constexpr int kNumbered = int(CurveAxis::Tokens);
  choices.axis = static_cast<CurveAxis>(numberIn(view, "axis", kNumbered, static_cast<int>(choices.axis)));
  choices.axis = findWord(kCurveAxes, memberText(view, "axis")).value_or(choices.axis);
  choices.axisMetric.clear();
  if (choices.axis != CurveAxis::Metric) return;
  choices.axisMetric = fromUtf8(memberText(view, "axis_metric"));
  if (choices.axisMetric.isEmpty()) choices.axis = CurveAxis::Step;
}

}  // namespace

Json curveViewJson(const QStringList& metrics, const CurveLook& look, const CurveChoices& choices) {
  Json joined = Json::object();
  for (const auto& [metric, others] : look.joined)
    if (!others.isEmpty()) joined[toUtf8(metric)] = listOf(others);
  return {{"metrics", listOf(metrics)},
          {"joined", joined},
          {"axis", wordOf(kCurveAxes, choices.axis)},
          {"axis_metric", toUtf8(choices.axisMetric)},
          {"scale", static_cast<int>(choices.scaleY)},
          {"log_x", choices.scaleX == AxisScale::Log},
          {"band", wordOf(kCurveBands, choices.band)},
          {"clip", choices.clip},
          {"smoothing", choices.smoothing}};
}

void takeCurveView(const Json& view, CurveLook& look, CurveChoices& choices) {
  takeAxis(view, choices);
  choices.scaleY = static_cast<AxisScale>(numberIn(view, "scale", 2, static_cast<int>(choices.scaleY)));
  if (view.contains("band") && view["band"].is_string())
    choices.band = findWord(kCurveBands, view["band"].get<std::string>()).value_or(CurveBand::None);
  choices.groupSeeds = choices.band != CurveBand::None;
  choices.scaleX =
      flagIn(view, "log_x", choices.scaleX == AxisScale::Log) ? AxisScale::Log : AxisScale::Linear;
  choices.clip = flagIn(view, "clip", choices.clip);
  if (view.contains("smoothing") && view["smoothing"].is_number())
    choices.smoothing = std::clamp(view["smoothing"].get<double>(), 0.0, 0.999);
  if (const QStringList metrics = metricsIn(view.value("metrics", Json())); !metrics.isEmpty())
    look.metrics = metrics;
  if (!view.contains("joined") || !view["joined"].is_object()) return;
  look.joined.clear();
  for (const auto& [metric, others] : view["joined"].items())
    look.joined[fromUtf8(metric)] = metricsIn(others);
}

}  // namespace fathom
