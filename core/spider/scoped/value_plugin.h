// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/spider/scoped/scoped_sql.h"

namespace fathom {

// docs/spider_evaluation.md §8 (F12): a prediction made without values is run with gold's literals in its
// places.

// Where a query holds a literal: texts, numbers, and the placeholders value, 'terminal' and "terminal". In
// text order; empty when the text cannot be split into tokens.
std::vector<SourceSpan> literalSlots(std::string_view sql);

// Has it placeholders, so that running it as it stands says nothing?
bool hasPlaceholders(std::string_view sql);

// Variants of the prediction: gold's literals by slot order first, then every assignment of gold's different
// literals to the slots, at most `most` and about 1 MB in all. The prediction itself is not among them. Empty
// when either side has no literal.
std::vector<std::string> pluggedQueries(std::string_view gold, std::string_view predicted,
                                        std::size_t most = 1000);

}  // namespace fathom
