// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/metric.h"

#include <algorithm>

#include "core/base/errors/word_table.h"
#include "core/base/json/json_members.h"

namespace fathom {

namespace {
constexpr EnumWord<MetricDirection> kDirections[] = {{MetricDirection::Lower, "lower"},
                                                     {MetricDirection::Higher, "higher"}};
}  // namespace

bool isBetter(MetricDirection direction, double a, double b) {
  if (direction == MetricDirection::None) return false;
  return direction == MetricDirection::Higher ? a > b : a < b;
}

const Metric* findMetric(const Metrics& metrics, std::string_view id) {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [id](const Metric& metric) { return metric.id == id; });
  return found == metrics.end() ? nullptr : &*found;
}

Phrase titleWithUnit(const Metric& metric) {
  const Phrase title = Phrase::known(metric.title);
  return metric.unit.empty() ? title : Phrase::tr("%1 (%2)")(title, Phrase::known(metric.unit));
}

Json metricsToJson(const Metrics& metrics) {
  Json list = Json::array();
  for (const Metric& metric : metrics) {
    Json item = {{"id", metric.id}};
    if (!metric.title.empty()) item["title"] = metric.title;
    if (!metric.shortTitle.empty()) item["short_title"] = metric.shortTitle;
    if (!metric.unit.empty()) item["unit"] = metric.unit;
    if (metric.direction != MetricDirection::None) item["direction"] = wordOf(kDirections, metric.direction);
    if (metric.headline > 0) item["headline"] = metric.headline;
    if (metric.decimals >= 0) item["decimals"] = metric.decimals;
    if (!metric.stepMetric.empty()) item["step_metric"] = metric.stepMetric;
    list.push_back(std::move(item));
  }
  return list;
}

Metrics metricsFromJson(const Json& json) {
  constexpr int kMostDecimals = 17;
  Metrics metrics;
  if (!json.is_array()) return metrics;
  for (const Json& item : json) {
    if (!item.is_object()) continue;
    const auto text = [&item](const char* key) { return memberText(item, key); };
    const auto number = [&item](const char* key, int otherwise, int most) {
      const std::int64_t value = memberInteger(item, key, otherwise);
      return value < 0 || value > most ? otherwise : static_cast<int>(value);
    };
    Metric metric{text("id"), text("title"), text("short_title"), text("unit")};
    if (metric.id.empty()) continue;
    metric.direction = findWord(kDirections, text("direction")).value_or(MetricDirection::None);
    metric.headline = number("headline", 0, 1000);
    metric.decimals = number("decimals", -1, kMostDecimals);
    if (text("step_metric") != metric.id) metric.stepMetric = text("step_metric");
    metrics.push_back(std::move(metric));
  }
  return metrics;
}

}  // namespace fathom
