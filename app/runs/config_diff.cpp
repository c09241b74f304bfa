// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/config_diff.h"

#include <utility>

#include "app/text_table.h"
#include "core/analysis/training/run_comparison.h"

namespace fathom {

Json configDiff(const std::vector<RunRow>& rows) {
  Json diff;
  diff["runs"] = Json::array();
  diff["options"] = Json::array();
  std::vector<const Json*> options;
  for (const RunRow& row : rows) {
    diff["runs"].push_back(row.identity.uuid);
    options.push_back(&row.options);
  }
  for (ComparedOption& option : differingOptions(options))
    diff["options"].push_back({{"key", option.key}, {"values", std::move(option.values)}});
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
