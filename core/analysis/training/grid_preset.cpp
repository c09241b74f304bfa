// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/grid_preset.h"

#include <algorithm>
#include <limits>

namespace fathom {

namespace {

SeedSummary publishedScore(const Json& row) {
  constexpr double kNotSaid = std::numeric_limits<double>::quiet_NaN();
  SeedSummary score;
  score.runs = row.value("runs", 1);
  score.finished = score.runs - row.value("failed", 0);
  score.mean = row.value("mean", kNotSaid);
  score.deviation = row.value("sd", kNotSaid);
  score.standardError = score.halfWidth95 = score.minimum = score.maximum = kNotSaid;
  return score;
}

PublishedColumn publishedColumn(const Json& json) {
  PublishedColumn column{json.at("metric").get<std::string>(), json.at("source").get<std::string>(), {}};
  for (const Json& row : json.at("rows"))
    column.rows.push_back({row.at("values").get<std::map<std::string, std::string>>(), publishedScore(row)});
  return column;
}

std::string inLowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

}  // namespace

Result<GridPreset> gridPresetFromJson(const Json& json, const std::string& preset) {
  GridPreset grid;
  if (json.is_null()) return grid;
  try {
    for (const Json& axis : json.at("axes"))
      grid.axes.push_back({axis.at("key").get<std::string>(), axis.at("values").get<std::vector<Json>>(),
                           axis.value("title", std::string())});
    if (json.contains("metrics")) grid.metrics = json.at("metrics").get<std::vector<std::string>>();
    if (json.contains("published"))
      for (const Json& column : json.at("published")) grid.published.push_back(publishedColumn(column));
  } catch (const nlohmann::json::exception& e) {
    return dataErrorAt(preset, 0, Phrase::tr("the grid of the preset is malformed: %1")(e.what()));
  }
  return grid;
}

Result<std::vector<Json>> settingsNamed(const GridAxis& axis, const std::vector<std::string>& names) {
  std::vector<Json> found;
  for (const std::string& name : names) {
    const auto at = std::find_if(axis.values.begin(), axis.values.end(), [&](const Json& value) {
      return inLowerCase(axisValueText(value)) == inLowerCase(name);
    });
    if (at == axis.values.end()) {
      std::string known;
      for (const Json& value : axis.values) known += (known.empty() ? "" : ", ") + axisValueText(value);
      return usageError(Phrase::tr("the axis %1 has no setting '%2'")(axis.key, name),
                        Phrase::tr("there are: %1")(known));
    }
    if (std::find(found.begin(), found.end(), *at) == found.end()) found.push_back(*at);
  }
  return found;
}

Status overAxis(std::vector<GridAxis>& axes, const std::string& text) {
  FATHOM_TRY(GridAxis wanted, parseGridAxis(text));
  const auto same =
      std::find_if(axes.begin(), axes.end(), [&](const GridAxis& axis) { return axis.key == wanted.key; });
  if (same == axes.end()) {
    const auto seed =
        std::find_if(axes.begin(), axes.end(), [](const GridAxis& axis) { return axis.isSeed(); });
    axes.insert(wanted.isSeed() ? axes.end() : seed, std::move(wanted));
    return {};
  }
  if (same->isSettings()) {
    std::vector<std::string> names;
    for (const Json& value : wanted.values) names.push_back(axisValueText(value));
    FATHOM_TRY(wanted.values, settingsNamed(*same, names));
    wanted.title = same->title;
  }
  *same = std::move(wanted);
  return {};
}

}  // namespace fathom
