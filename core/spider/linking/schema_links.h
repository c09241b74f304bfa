// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom {

// Relation of a word of the question to an item of the schema; Number and Time are RAT-SQL's and only of
// columns. A cell has one code: names go before values, values before numbers.
enum class LinkCode : std::uint8_t { None = 0, Partial = 1, Exact = 2, Value = 3, Number = 4, Time = 5 };
constexpr int kLinkCodes = 6;

// Links of one question: [items, tokens], row by row. Columns are expanded ids (docs/sql_grammar.md §3: the
// stars first), tables have the extra one, `*`, last. Items without any link have rows of None.
struct SchemaLinks {
  int tokens = 0;
  int columns = 0;  // expanded
  int tables = 0;   // with the extra one
  std::vector<LinkCode> column;
  std::vector<LinkCode> table;

  SchemaLinks() = default;
  SchemaLinks(int tokenCount, int columnCount, int tableCount)
      : tokens(tokenCount),
        columns(columnCount),
        tables(tableCount),
        column(static_cast<std::size_t>(tokenCount) * static_cast<std::size_t>(columnCount)),
        table(static_cast<std::size_t>(tokenCount) * static_cast<std::size_t>(tableCount)) {}

  LinkCode columnLink(int item, int token) const { return column[cell(item, token)]; }
  LinkCode tableLink(int item, int token) const { return table[cell(item, token)]; }
  LinkCode& columnLink(int item, int token) { return column[cell(item, token)]; }
  LinkCode& tableLink(int item, int token) { return table[cell(item, token)]; }

 private:
  std::size_t cell(int item, int token) const {
    return static_cast<std::size_t>(item) * static_cast<std::size_t>(tokens) +
           static_cast<std::size_t>(token);
  }
};

}  // namespace fathom
