// SPDX-License-Identifier: Apache-2.0
#include "core/spider/inputs/schema_items.h"

#include "core/text/lower_case.h"

namespace fathom {

int SchemaItems::tableOf(int column) const {
  const int table = columns[static_cast<std::size_t>(column)].table;
  return table < 0 ? tableCount() - 1 : table;
}

SchemaItems schemaItems(const SpiderSchema& schema) {
  SchemaItems items;
  const auto added = static_cast<int>(schema.tables.size());
  for (const SpiderTable& table : schema.tables) items.tables.push_back(toLowerCase(table.name));
  items.tables.emplace_back("*");
  const auto typeOf = [&](std::size_t column) {
    const std::string& type = schema.columns[column].type;
    return type.empty() ? std::string("text") : toLowerCase(type);
  };
  for (int table = -1; table < added; ++table) items.columns.push_back({table, "*", typeOf(0), false});
  for (std::size_t c = 1; c < schema.columns.size(); ++c) {
    const SpiderColumn& column = schema.columns[c];
    items.columns.push_back({column.table, toLowerCase(column.name), typeOf(c), column.primary});
  }
  // Key 0 would be a star: tables.json has none, a foreign file may.
  const auto expanded = [&](int column) { return column == 0 ? 0 : column + added; };
  for (const int key : schema.primaryKeys) items.primaryKeys.push_back(expanded(key));
  for (const auto& [from, to] : schema.foreignKeys)
    items.foreignKeys.emplace_back(expanded(from), expanded(to));
  items.texts = items.tables;
  for (const auto& column : items.columns) items.texts.push_back(column.type + " " + column.name);
  return items;
}

}  // namespace fathom
