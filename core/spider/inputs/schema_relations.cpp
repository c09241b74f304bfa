// SPDX-License-Identifier: Apache-2.0
#include "core/spider/inputs/schema_relations.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "core/base/errors/error.h"

namespace fathom {

namespace {

using Edges = std::set<std::pair<int, int>>;

// ---- DT-Fixup's 33
// --------------------------------------------------------------------------------------------

class DtFixupItems {
 public:
  explicit DtFixupItems(const RelationGraph& graph) : m_graph(graph) {
    for (const auto& [x, y] : graph.foreignKeys) {
      m_keys.insert({x, y});
      if (primary(x)) m_edges.insert({tableOf(x), tableOf(y)});
      if (primary(y)) m_edges.insert({tableOf(y), tableOf(x)});
    }
  }

  int columnColumn(int i, int j) const {
    if (i == j) return 0;
    if (tableOf(i) == tableOf(j)) return 1;  // before the foreign key
    if (m_keys.contains({i, j}) || m_keys.contains({j, i})) return primary(i) ? 2 : 3;
    return 4;
  }
  int tableTable(int i, int j) const {
    if (i == j) return 5;
    const bool towards = m_edges.contains({i, j}), back = m_edges.contains({j, i});
    if (towards && back) return 8;
    return back ? 6 : towards ? 7 : 9;
  }
  int columnTable(int column, int table) const {
    if (tableOf(column) != table) return 12;
    return primary(column) ? 10 : 11;
  }
  int tableColumn(int table, int column) const { return columnTable(column, table) + 3; }

 private:
  bool primary(int column) const { return m_graph.primary[static_cast<std::size_t>(column)] != 0; }
  // The global star belongs to the extra table, the last one.
  int tableOf(int column) const {
    const int table = m_graph.columnTable[static_cast<std::size_t>(column)];
    return table < 0 ? m_graph.tables - 1 : table;
  }
  const RelationGraph& m_graph;
  Edges m_keys, m_edges;
};

// ---- RAT-SQL's 51
// ---------------------------------------------------------------------------------------------

class RatSqlItems {
 public:
  explicit RatSqlItems(const RelationGraph& graph) : m_graph(graph) {
    for (const auto& [from, to] : graph.foreignKeys) m_target[from] = to;  // the last one of a column counts
    for (const auto& [from, to] : m_target) {
      if (tableOf(from) >= 0 && tableOf(to) >= 0) m_edges.insert({tableOf(from), tableOf(to)});
    }
  }

  // If several hold, the released code's last assignment wins.
  int columnColumn(int i, int j) const {
    if (i == j) return 14;
    if (tableOf(i) == tableOf(j)) return 11;
    if (pointsTo(j, i)) return 10;
    return pointsTo(i, j) ? 9 : 8;
  }
  int tableTable(int i, int j) const {
    if (i == j) return 34;
    const bool forward = m_edges.contains({i, j}), backward = m_edges.contains({j, i});
    if (forward && backward) return 31;
    return forward ? 29 : backward ? 30 : 28;
  }
  int columnTable(int column, int table) const { return side(column, table, {17, 18, 19, 20, 21}); }
  int tableColumn(int table, int column) const { return side(column, table, {23, 27, 24, 25, 26}); }

 private:
  // default, foreign key, primary key, same table, any table
  int side(int column, int table, const std::array<int, 5>& ids) const {
    const int own = tableOf(column);
    if (own < 0) return ids[4];
    if (own == table) return ids[m_graph.primary[static_cast<std::size_t>(column)] != 0 ? 2 : 3];
    // The released test of a foreign key does not look at the table: it holds for keys inside one table.
    const auto target = m_target.find(column);
    return ids[target != m_target.end() && tableOf(target->second) == own ? 1 : 0];
  }
  bool pointsTo(int from, int to) const {
    const auto target = m_target.find(from);
    return target != m_target.end() && target->second == to;
  }
  int tableOf(int column) const { return m_graph.columnTable[static_cast<std::size_t>(column)]; }
  const RelationGraph& m_graph;
  std::map<int, int> m_target;
  Edges m_edges;
};

template <typename Items>
std::vector<std::uint8_t> itemRelations(const RelationGraph& graph) {
  const Items items(graph);
  const int columns = graph.columnCount(), all = columns + graph.tables;
  std::vector<std::uint8_t> ids;
  ids.reserve(static_cast<std::size_t>(all) * static_cast<std::size_t>(all));
  for (int i = 0; i < all; ++i) {
    for (int j = 0; j < all; ++j) {
      const int id = i < columns ? j < columns ? items.columnColumn(i, j) : items.columnTable(i, j - columns)
                     : j < columns ? items.tableColumn(i - columns, j)
                                   : items.tableTable(i - columns, j - columns);
      ids.push_back(static_cast<std::uint8_t>(id));
    }
  }
  return ids;
}

// ---- links
// ----------------------------------------------------------------------------------------------------

// Ids by LinkCode (None, Partial, Exact, Value, Number, Time).
struct LinkIds {
  std::array<std::uint8_t, 6> tokenColumn, columnToken, tokenTable, tableToken;
  std::uint8_t offset;  // of the id for a distance of -2 between tokens
};
// A value counts as exact in DT-Fixup's set. Numbers and times are RAT-SQL's, and of columns only.
constexpr LinkIds kDtFixupLinks = {{29, 28, 27, 27, 29, 29},
                                   {32, 31, 30, 30, 32, 32},
                                   {23, 22, 21, 21, 23, 23},
                                   {26, 25, 24, 24, 26, 26},
                                   16};
constexpr LinkIds kRatSqlLinks = {
    {5, 41, 37, 49, 45, 47}, {7, 42, 38, 50, 46, 48}, {6, 43, 39, 6, 6, 6}, {22, 44, 40, 22, 22, 22}, 0};

}  // namespace

int relationTypes(RelationSet set) {
  return set == RelationSet::DtFixup ? 33 : set == RelationSet::RatSql ? 51 : 0;
}

bool isLink(RelationSet set, int relation) {
  if (set == RelationSet::None) return false;
  const LinkIds& ids = set == RelationSet::DtFixup ? kDtFixupLinks : kRatSqlLinks;
  for (const auto* of : {&ids.tokenColumn, &ids.columnToken, &ids.tokenTable, &ids.tableToken}) {
    const auto none = of->front();
    if (relation != none && std::find(of->begin(), of->end(), relation) != of->end()) return true;
  }
  return false;
}

RelationGraph graphOf(const SchemaItems& items) {
  RelationGraph graph;
  for (const auto& column : items.columns) {
    graph.columnTable.push_back(column.table);
    graph.primary.push_back(column.primary ? 1 : 0);
  }
  graph.foreignKeys = items.foreignKeys;
  graph.tables = items.tableCount();
  return graph;
}

SchemaRelations::SchemaRelations(const RelationGraph& graph, RelationSet set)
    : m_set(set), m_columns(graph.columnCount()), m_tables(graph.tables) {
  if (set == RelationSet::DtFixup) m_items = itemRelations<DtFixupItems>(graph);
  if (set == RelationSet::RatSql) m_items = itemRelations<RatSqlItems>(graph);
}

void SchemaRelations::write(const SchemaLinks& links, std::span<std::uint8_t> out) const {
  const auto tokens = static_cast<std::size_t>(links.tokens), columns = static_cast<std::size_t>(m_columns),
             items = columns + static_cast<std::size_t>(m_tables), all = tokens + items;
  if (m_set == RelationSet::None || links.columns != m_columns || links.tables != m_tables ||
      links.column.size() != columns * tokens || links.table.size() != (items - columns) * tokens ||
      out.size() != all * all)
    throw Failure(internalError("links of " + std::to_string(links.columns) + " columns and " +
                                std::to_string(links.tables) + " tables for a schema of " +
                                std::to_string(m_columns) + " and " + std::to_string(m_tables)));
  const LinkIds& ids = m_set == RelationSet::DtFixup ? kDtFixupLinks : kRatSqlLinks;
  const auto code = [&](std::size_t item, std::size_t token) {
    return static_cast<std::size_t>(item < columns ? links.column[item * tokens + token]
                                                   : links.table[(item - columns) * tokens + token]);
  };
  std::uint8_t* to = out.data();
  for (std::size_t i = 0; i < tokens; ++i) {
    for (std::size_t j = 0; j < tokens; ++j) {
      const auto apart = static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i);
      *to++ = static_cast<std::uint8_t>(ids.offset + std::clamp<std::int64_t>(apart, -2, 2) + 2);
    }
    for (std::size_t item = 0; item < items; ++item)
      *to++ = (item < columns ? ids.tokenColumn : ids.tokenTable).at(code(item, i));
  }
  for (std::size_t item = 0; item < items; ++item) {
    for (std::size_t j = 0; j < tokens; ++j)
      *to++ = (item < columns ? ids.columnToken : ids.tableToken).at(code(item, j));
    const auto row = m_items.begin() + static_cast<std::ptrdiff_t>(item * items);
    to = std::copy(row, row + static_cast<std::ptrdiff_t>(items), to);
  }
}

std::array<std::int64_t, 16> itemRelationCounts(const SpiderSchemas& schemas) {
  std::array<std::int64_t, 16> counts{};
  for (const auto& [id, schema] : schemas) {
    const SchemaItems items = schemaItems(schema);
    for (const std::uint8_t relation : itemRelations<DtFixupItems>(graphOf(items))) ++counts.at(relation);
  }
  return counts;
}

}  // namespace fathom
