// SPDX-License-Identifier: Apache-2.0
#include "core/spider/official/execution_keys.h"

namespace fathom {

std::vector<std::string> executionKeys(const SqlQuery& normalised) {
  const auto text = [](const SqlColumnUnit& unit) {
    return std::to_string(unit.aggregate) + ":" + std::to_string(unit.column) + ":" +
           std::to_string(unit.distinct);
  };
  std::vector<std::string> keys;
  for (const auto& item : normalised.select) {
    std::string key = text(item.unit.first);
    if (item.unit.second) key = std::to_string(item.unit.op) + " " + key + " " + text(*item.unit.second);
    keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace fathom
