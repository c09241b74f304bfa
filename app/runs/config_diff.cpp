// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/config_diff.h"

#include <algorithm>

#include "app/text_table.h"

namespace fathom {

Json configDiff(const std::vector<RunRow>& rows) {
  Json diff;
  diff["runs"] = Json::array();
  diff["options"] = Json::array();
  std::vector<std::string> keys;
  for (const RunRow& row : rows) {
    diff["runs"].push_back(row.identity.uuid);
    for (const auto& [key, value] : row.options.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  for (const std::string& key : keys) {
    Json values = Json::array();
    for (const RunRow& row : rows) values.push_back(row.options.contains(key) ? row.options[key] : Json());
    const bool same =
        std::all_of(values.begin(), values.end(), [&](const Json& v) { return v == values[0]; });
    if (!same) diff["options"].push_back({{"key", key}, {"values", std::move(values)}});
  }
  return diff;
}

std::string configDiffText(const Json& diff) {
  std::vector<std::string> head = {"option"};
  for (const Json& run : diff["runs"]) head.push_back(run.get<std::string>().substr(0, 8));
  TextTable table(head);
  for (const Json& item : diff["options"]) {
    std::vector<std::string> cells = {item["key"].get<std::string>()};
    for (const Json& value : item["values"]) {
      cells.push_back(value.is_null() ? "-" : value.is_string() ? value.get<std::string>() : value.dump());
    }
    table.addRow(cells);
  }
  return diff["options"].empty() ? "the options are the same\n" : table.text();
}

}  // namespace fathom
