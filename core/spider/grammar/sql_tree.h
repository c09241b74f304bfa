// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/result.h"
#include "core/spider/grammar/action_sequence.h"
#include "core/spider/grammar/table_order.h"
#include "core/spider/official/sql_parser.h"

namespace fathom {

// SQL <-> tree over the grammar (docs/sql_grammar.md §4). Trees use *expanded* column ids: 0
// = global star, 1..T = the star of table 0..T-1, then the real columns (docs/sql_grammar.md §3).
int expandedColumn(const SpiderSchema& schema, int column);  // of a real column, column >= 1
int expandedCount(const SpiderSchema& schema);
// Column of the schema (0 for any star) and table (-1 for the global star) of an expanded id.
struct ExpandedColumn {
  int column = 0, table = -1;
};
ExpandedColumn expandedColumnAt(const SpiderSchema& schema, int expanded);

// Gold strings the released code replaces before parsing (12 queries with missing or circular joins and the
// like).
std::string correctedGold(std::string_view sql);

// Error: a construct the grammar cannot express, named. Values, LIMIT numbers, DISTINCT and the table list
// are dropped.
Result<GrammarTree> treeFromQuery(const SqlQuery& query, const SpiderSchema& schema);
// Tables are inferred from the columns; values become the text "value", LIMIT becomes 1.
Result<SqlQuery> queryFromTree(const GrammarTree& tree, const SpiderSchema& schema,
                               TableOrder order = TableOrder::Ascending);

// May the search return this tree? The filter of the released evaluator (docs/sql_grammar.md §5).
bool treeIsValid(const GrammarTree& tree, const SpiderSchema& schema);

enum class SqlTextStyle {
  Released,  // as the released code prints: HAVING after ORDER BY and LIMIT, all ON conditions at the end,
             // nothing where a list is empty
  Correct    // HAVING after GROUP BY
};
std::string sqlText(const SqlQuery& query, const SpiderSchema& schema,
                    SqlTextStyle style = SqlTextStyle::Correct);

}  // namespace fathom
