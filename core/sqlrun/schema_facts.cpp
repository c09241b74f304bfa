// SPDX-License-Identifier: Apache-2.0
#include "core/sqlrun/schema_facts.h"

#include <set>
#include <string>
#include <vector>

namespace fathom {

namespace {

std::string textAt(sqlite3_stmt* statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  return text ? text : "";
}

// Rows of one query with one bound text, each as texts.
Result<std::vector<std::vector<std::string>>> rowsOf(sqlite3* database, const char* sql,
                                                     const std::string& bound) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK)
    return dataError(Phrase::words(sqlite3_errmsg(database)));
  if (sqlite3_bind_parameter_count(statement) > 0)
    sqlite3_bind_text(statement, 1, bound.c_str(), -1, SQLITE_TRANSIENT);
  std::vector<std::vector<std::string>> rows;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    std::vector<std::string> row;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) row.push_back(textAt(statement, i));
    rows.push_back(std::move(row));
  }
  sqlite3_finalize(statement);
  if (code != SQLITE_DONE) return dataError(Phrase::words(sqlite3_errmsg(database)));
  return rows;
}

// Columns that alone are unique: primary keys of one column, UNIQUE constraints and indexes of one column.
Result<std::set<std::string>> uniqueColumns(sqlite3* database, const std::string& table) {
  std::set<std::string> unique;
  FATHOM_TRY(
      const auto indexes,
      rowsOf(database, "SELECT name FROM pragma_index_list(?1) WHERE \"unique\" AND NOT partial", table));
  for (const auto& index : indexes) {
    FATHOM_TRY(const auto columns, rowsOf(database, "SELECT name FROM pragma_index_info(?1)", index[0]));
    if (columns.size() == 1) unique.insert(columns[0][0]);
  }
  return unique;
}

// False also where it cannot be read.
bool hasNoRows(sqlite3* database, const std::string& table) {
  std::string quoted;
  for (const char c : table) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  const auto rows = rowsOf(database, ("SELECT 1 FROM \"" + quoted + "\" LIMIT 1").c_str(), "");
  return rows.ok() && rows->empty();
}

}  // namespace

Result<Json> readSchemaFacts(sqlite3* database) {
  FATHOM_TRY(const auto tables, rowsOf(database, "SELECT name FROM sqlite_schema WHERE type = 'table'", ""));
  Json out = {{"tables", Json::array()}};
  for (const auto& table : tables) {
    FATHOM_TRY(const auto unique, uniqueColumns(database, table[0]));
    FATHOM_TRY(const auto columns,
               rowsOf(database, "SELECT name, \"notnull\", pk, type FROM pragma_table_info(?1)", table[0]));
    int keyColumns = 0;
    for (const auto& column : columns) keyColumns += column[2] != "0";
    Json list = Json::array();
    for (const auto& column : columns) {
      const bool key = column[2] != "0" && keyColumns == 1;
      list.push_back({{"name", column[0]},
                      {"type", column[3]},
                      // SQLite lets NULL into keys for old times' sake; who declares one means none.
                      {"notnull", column[1] != "0" || column[2] != "0"},
                      {"unique", key || unique.contains(column[0])},
                      {"pk", std::stoi(column[2])}});
    }
    out["tables"].push_back(
        {{"name", table[0]}, {"empty", hasNoRows(database, table[0])}, {"columns", std::move(list)}});
  }
  return out;
}

}  // namespace fathom
