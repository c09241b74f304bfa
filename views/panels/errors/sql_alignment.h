// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spider/scoped/scoped_sql.h"

namespace fathom {

// One query broken into lines at its clauses, joins and conditions, so that two queries can stand side by
// side. No character is added but line ends, and none is lost: a line shows the bytes of its span, blanks at
// its end left out, line ends inside replaced by blanks.
struct SqlSide {
  std::string text;                     // lines joined by '\n'
  std::vector<SourceSpan> lines;        // bytes of the query on each line; empty: a filler
  std::vector<SourceSpan> differences;  // words of the query that the other one has not, in order
  std::vector<SourceSpan> values;       // constants that differ; the metric does not look at them
  // Place of a byte of the query in `text`.
  std::uint32_t textOffset(std::uint32_t sourceByte) const;
};

struct AlignedSql {
  SqlSide gold, predicted;        // as many lines each
  std::vector<bool> lineDiffers;  // per line
};

// Pairs the clauses of both queries. Columns are compared as what they refer to (`T1.name` and `singer.name`
// are equal), aliases not at all; a query that the parser refuses is compared word by word.
AlignedSql alignSql(const std::string& gold, const ScopedParse& goldParse, const std::string& predicted,
                    const ScopedParse& predictedParse);

// Bytes of every column mentioned, with its schema id, all levels.
struct ColumnMention {
  SourceSpan span;
  int column = -1;
};
std::vector<ColumnMention> columnMentions(const ScopedQuery& query);

}  // namespace fathom
