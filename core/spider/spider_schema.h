// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

struct SpiderTable {
  std::string name;          // words people read ("singer in concert")
  std::string originalName;  // as in the database
  std::string key;           // original name in lower case: what SQL is matched against
  std::vector<int> columns;  // column ids, in order
  bool empty = false;        // the database's table has no rows (only with schema facts)
};

struct SpiderColumn {
  int table = -1;  // -1 only for "*"
  std::string name;
  std::string originalName;
  std::string key;
  std::string type;  // text, number, time, boolean, others
  bool primary = false;
  // Declarations of the database (schema facts of fathom-sqlrun). Without one: those that the keys of
  // tables.json suggest.
  bool notNull = false;
  bool unique = false;
};

// One entry of tables.json. Column ids are positions in `columns`; column 0 is "*". docs/spider_evaluation.md
// §1.
struct SpiderSchema {
  std::string dbId;
  std::vector<SpiderTable> tables;
  std::vector<SpiderColumn> columns;
  std::vector<int> primaryKeys;
  std::vector<std::pair<int, int>> foreignKeys;
  // Official foreign-key groups: per column the lowest column index of its group, or the column itself.
  // Groups are filled in file order and never merged (docs/spider_evaluation.md §4.1).
  std::vector<int> keyGroup;
  // True once applySchemaFacts was called: a column without notNull then really may be NULL.
  bool factsKnown = false;

  // Position of a table by its lower-case name, -1 when there is none.
  int tableIndex(std::string_view key) const;
  // Column id by table and lower-case name, -1 when there is none.
  int columnIndex(int table, std::string_view key) const;
  // "table.column" in original spelling, "*" for column 0.
  std::string columnText(int column) const;
  bool isPrimaryKey(int column) const;  // the only key column of its table in tables.json
  // Alone unique in its table and never NULL (docs/error_categories.md §5). tables.json names one column even
  // of a key of several: without schema facts a table that joins others is not taken as keyed by it.
  bool isKey(int column) const;
};

// All schemas of a tables.json, by db_id.
using SpiderSchemas = std::map<std::string, SpiderSchema, std::less<>>;

// Errors name file, db_id and key.
Result<SpiderSchemas> readSpiderTables(const std::string& path);
Result<SpiderSchemas> parseSpiderTables(std::string_view text, const std::string& path);
Result<SpiderSchema> spiderSchemaFromJson(const Json& entry, const std::string& path);
const SpiderSchema* findSchema(const SpiderSchemas& schemas, std::string_view dbId);
// Fills keyGroup from foreignKeys; called by the readers.
void buildKeyGroups(SpiderSchema& schema);

// Replaces what is thought of columns by what the database declares: {"tables":[{"name":…, "empty":…,
// "columns":[{"name":…,"notnull":…,"unique":…,"pk":…}]}]}. Tables and columns the schema does not know are
// ignored.
void applySchemaFacts(SpiderSchema& schema, const Json& facts);

// ASCII letters to lower case; other bytes stay.
std::string asciiLower(std::string_view text);

}  // namespace fathom
