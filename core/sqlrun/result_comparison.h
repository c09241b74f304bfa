// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/sqlrun/sqlrun_result.h"

namespace fathom {

enum class ResultMatch { Equal, Different, Undecided };

// Test-suite rule (docs/spider_evaluation.md §8): the same bag of rows under some permutation of columns;
// with `ordered` the same sequence of rows. Columns are matched step by step by the rows they make together,
// never by trying all permutations; a search over 100,000 steps gives Undecided.
ResultMatch compareBags(const SqlRunResult& gold, const SqlRunResult& predicted, bool ordered);

// Old official rule (docs/spider_evaluation.md §8): per key of a select item its column of values in row
// order; keys of both must agree. A key that comes twice keeps the last column. Keys beyond the columns of a
// result make the comparison Different.
ResultMatch compareByKeys(const SqlRunResult& gold, const std::vector<std::string>& goldKeys,
                          const SqlRunResult& predicted, const std::vector<std::string>& predictedKeys);

}  // namespace fathom
