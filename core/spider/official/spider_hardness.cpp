// SPDX-License-Identifier: Apache-2.0
#include "core/spider/official/spider_hardness.h"

#include <algorithm>

#include "core/base/errors/word_table.h"

namespace fathom {

namespace {

int clauseCount(const SqlQuery& q) {
  int count = !q.where.empty() + !q.groupBy.empty() + q.orderBy.has_value() + q.limit.has_value();
  if (!q.tables.empty()) count += static_cast<int>(q.tables.size()) - 1;
  for (const auto* conditions : {&q.on, &q.where, &q.having}) {
    count += static_cast<int>(
        std::count(conditions->connectives.begin(), conditions->connectives.end(), SqlConnective::Or));
    count += static_cast<int>(std::count_if(conditions->units.begin(), conditions->units.end(),
                                            [](const auto& unit) { return unit.op == kOpLike; }));
  }
  return count;
}

int nestedCount(const SqlQuery& q) {
  int count = q.partner ? 1 : 0;
  for (const auto* conditions : {&q.on, &q.where, &q.having}) {
    for (const auto& unit : conditions->units) {
      count += (unit.first.query ? 1 : 0) + (unit.second.query ? 1 : 0);
    }
  }
  return count;
}

int aggregateCount(const SqlQuery& q) {
  int count = 0;
  for (const auto& item : q.select) count += item.aggregate != kAggNone;
  for (const auto& unit : q.where.units) count += unit.negated;
  for (const auto& unit : q.groupBy) count += unit.aggregate != kAggNone;
  if (q.orderBy) {
    for (const auto& unit : q.orderBy->units) {
      count += unit.first.aggregate != kAggNone;
      count += unit.second && unit.second->aggregate != kAggNone;
    }
  }
  for (const auto& unit : q.having.units) count += unit.negated;
  return count + static_cast<int>(q.having.connectives.size());
}

int otherCount(const SqlQuery& q) {
  return (aggregateCount(q) > 1) + (q.select.size() > 1) + (q.where.length() > 1) + (q.groupBy.size() > 1);
}

}  // namespace

const char* hardnessName(SpiderHardness level) {
  static constexpr EnumWord<SpiderHardness> kLevels[] = {{SpiderHardness::Easy, "easy"},
                                                         {SpiderHardness::Medium, "medium"},
                                                         {SpiderHardness::Hard, "hard"},
                                                         {SpiderHardness::Extra, "extra"}};
  return wordOf(kLevels, level);
}

SpiderHardness hardnessFromCounts(int c1, int c2, int others) {
  if (c1 <= 1 && others == 0 && c2 == 0) return SpiderHardness::Easy;
  if ((others <= 2 && c1 <= 1 && c2 == 0) || (c1 <= 2 && others < 2 && c2 == 0))
    return SpiderHardness::Medium;
  if ((others > 2 && c1 <= 2 && c2 == 0) || (c1 == 3 && others <= 2 && c2 == 0) ||
      (c1 <= 1 && others == 0 && c2 <= 1)) {
    return SpiderHardness::Hard;
  }
  return SpiderHardness::Extra;
}

SpiderHardness hardnessOf(const SqlQuery& gold) {
  return hardnessFromCounts(clauseCount(gold), nestedCount(gold), otherCount(gold));
}

}  // namespace fathom
