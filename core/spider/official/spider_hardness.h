// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/spider/official/sql_parser.h"

namespace fathom {

// The official difficulty of a gold query (docs/spider_evaluation.md §6), with its quirks: NOT flags and the
// words between HAVING conditions count as aggregates, FROM sub-queries count nothing, and (2, 0, 2) is
// "extra".
enum class SpiderHardness { Easy, Medium, Hard, Extra };
constexpr std::size_t kHardnessLevels = 4;

const char* hardnessName(SpiderHardness level);  // "easy", "medium", "hard", "extra"
SpiderHardness hardnessOf(const SqlQuery& gold);
// The decision from the three counts alone.
SpiderHardness hardnessFromCounts(int component1, int component2, int others);

}  // namespace fathom
