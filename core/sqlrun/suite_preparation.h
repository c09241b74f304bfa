// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// The query as the test-suite script runs it (docs/spider_evaluation.md §8): in predictions
// every "value" becomes 1, inside names and texts, too; "> =" is joined; unless DISTINCT is kept, it is
// deleted and what follows the first statement is left out; YEAR(CURDATE()) becomes 2020.
std::string testSuiteQuery(std::string_view sql, bool keepDistinct, bool prediction);
// True if DISTINCT stands in the first statement where testSuiteQuery deletes it.
bool hasDistinct(std::string_view sql);
// "order by" anywhere, with one blank or line break between.
bool asksForOrder(std::string_view goldSql);

}  // namespace fathom
