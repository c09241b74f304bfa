// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/spider/inputs/schema_items.h"
#include "core/spider/linking/schema_links.h"

namespace fathom {

// Relation ids between the elements of tokens, columns, tables (in this order), docs/text_to_sql.md §6.
enum class RelationSet { None, DtFixup, RatSql };
int relationTypes(RelationSet set);  // 0, 33, 51
// True if a relation of a token and an item says that the token names the item, or a value of it.
bool isLink(RelationSet set, int relation);

// Facts of a schema that relations need.
struct RelationGraph {
  std::vector<int> columnTable;  // -1: "*" without a table
  std::vector<std::uint8_t> primary;
  std::vector<std::pair<int, int>> foreignKeys;
  int tables = 0;

  int columnCount() const { return static_cast<int>(columnTable.size()); }
};
RelationGraph graphOf(const SchemaItems& items);  // expanded ids, with the extra table

// Relations among the items of one schema, made once; those of an example are put around them.
class SchemaRelations {
 public:
  SchemaRelations(const RelationGraph& graph, RelationSet set);

  RelationSet set() const { return m_set; }
  // Elements of an example: tokens + columns + tables.
  int size(const SchemaLinks& links) const { return links.tokens + m_columns + m_tables; }
  // Writes [n, n], row = query, column = key. Throws Failure(internal) when links or `out` have other sizes.
  void write(const SchemaLinks& links, std::span<std::uint8_t> out) const;

 private:
  RelationSet m_set;
  int m_columns, m_tables;
  std::vector<std::uint8_t> m_items;  // [columns + tables, columns + tables]
};

// Frequency of each of DT-Fixup's relations among items, 0 to 15, over all of these schemas.
std::array<std::int64_t, 16> itemRelationCounts(const SpiderSchemas& schemas);

}  // namespace fathom
