// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/spider/scoped/scoped_sql.h"
#include "core/spider/spider_schema.h"

namespace fathom {

// docs/spider_evaluation.md §8 (F12): a prediction made without values is run with gold's literals in its
// places.

// Places of literals in a query: texts, numbers, and the placeholders value, 'terminal' and "terminal". In
// text order; empty when the text cannot be split into tokens.
std::vector<SourceSpan> literalSlots(std::string_view sql);

// Has it placeholders, so that running it as it stands says nothing? Where the schema has a column "value",
// the bare word is its name; without a schema it is never one.
bool hasPlaceholders(std::string_view sql, const SpiderSchema* schema = nullptr);

// The query as it was written, and can run: the bare word "value" where only a literal can stand becomes 1,
// blanks inside >=, <= and != go, YEAR(CURDATE()), which SQLite lacks, is 2020. Texts, names and comments
// stay.
std::string queryAsWritten(std::string_view sql, const SpiderSchema& schema);

// Variants of the prediction: gold's literals by slot order first, then every assignment of gold's different
// literals to the slots, at most `most` and about 1 MB in all. The prediction itself is not among them. Empty
// when either side has no literal.
std::vector<std::string> pluggedQueries(std::string_view gold, std::string_view predicted,
                                        std::size_t most = 1000);

}  // namespace fathom
