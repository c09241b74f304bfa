// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/position_rules.h"

namespace fathom {

std::vector<OptionRule> positionTableRules(const std::string& lengthKey) {
  std::vector<OptionRule> rules;
  const auto shortTable = [&](const char* positions, int before, const char* reason) {
    rules.push_back({.when = {{"model.bert.positions", OptionClause::Test::In, {positions}},
                              {"model.bert.max_positions",
                               OptionClause::Test::AtMost,
                               {Json{{"key", lengthKey}, {"plus", before - 1}}}}},
                     .reason = reason,
                     .keys = {"model.bert.max_positions", lengthKey}});
  };
  shortTable("row", 0, "the position table needs a row for every token of the longest example");
  // Its first row is behind that of the padding, which is at least 0.
  shortTable("non_pad", 1, "RoBERTa's position table needs more rows than the longest example has tokens");
  shortTable("row_from_two", 2,
             "positions from row 2 need two rows more than the longest example has tokens");
  return rules;
}

}  // namespace fathom
