// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/schema_use.h"

#include "views/panels/errors/sql_alignment.h"

namespace fathom {

SchemaUse schemaUse(const PreparedSql& query) {
  SchemaUse use;
  if (!query.ok()) return use;
  for (const auto& [path, tables] : tableSlots(query.canon)) use.tables.insert(tables.begin(), tables.end());
  for (const ColumnMention& mention : columnMentions(*query.parse.query)) use.columns.insert(mention.column);
  use.joins = joinPairs(query.canon);
  return use;
}

std::vector<SchemaCell> placeTables(const SpiderSchema& schema, int columns) {
  const int count = int(schema.tables.size());
  std::vector<std::set<int>> joined(schema.tables.size());
  for (const auto& [a, b] : schema.foreignKeys) {
    const int left = schema.columns[std::size_t(a)].table, right = schema.columns[std::size_t(b)].table;
    if (left < 0 || right < 0 || left == right) continue;
    joined[std::size_t(left)].insert(right);
    joined[std::size_t(right)].insert(left);
  }
  // Breadth first from the table with most keys, so that what belongs together comes together.
  std::vector<int> order;
  std::vector<bool> seen(schema.tables.size());
  while (int(order.size()) < count) {
    int best = -1;
    for (int t = 0; t < count; ++t) {
      const auto size = joined[std::size_t(t)].size();
      if (!seen[std::size_t(t)] && (best < 0 || size > joined[std::size_t(best)].size())) best = t;
    }
    std::size_t next = order.size();
    order.push_back(best);
    seen[std::size_t(best)] = true;
    for (; next < order.size(); ++next) {
      for (const int other : joined[std::size_t(order[next])]) {
        if (seen[std::size_t(other)]) continue;
        seen[std::size_t(other)] = true;
        order.push_back(other);
      }
    }
  }
  std::vector<SchemaCell> cells(schema.tables.size());
  for (int i = 0; i < count; ++i) {
    const int row = i / columns;
    // Every other row runs backwards: neighbours in the order stay neighbours on the page.
    const int column = row % 2 == 0 ? i % columns : columns - 1 - i % columns;
    cells[std::size_t(order[std::size_t(i)])] = {column, row};
  }
  return cells;
}

}  // namespace fathom
