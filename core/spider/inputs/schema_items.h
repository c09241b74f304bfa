// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/spider/spider_schema.h"

namespace fathom {

// A schema as the network sees it (docs/text_to_sql.md §2). Columns are *expanded*: 0 the global star, 1 … T
// the star of table 0 … T − 1, then the columns of tables.json in its order, as in the grammar's trees
// (core/spider/grammar/sql_tree.h). Behind the tables stands an extra one, "*", to which the global star
// belongs.
struct SchemaItems {
  struct Column {
    int table = -1;    // -1: the global star
    std::string name;  // in lower case
    std::string type;  // of a star: that of column 0
    bool primary = false;
  };
  std::vector<std::string> tables;  // names in lower case, the extra one last
  std::vector<Column> columns;
  std::vector<int> primaryKeys;                  // expanded ids, file order
  std::vector<std::pair<int, int>> foreignKeys;  // expanded ids, file order
  // Texts of an encoder's row, in its order: tables, the extra table, columns as "<type> <name>".
  std::vector<std::string> texts;

  int tableCount() const { return static_cast<int>(tables.size()); }
  int columnCount() const { return static_cast<int>(columns.size()); }
  int itemCount() const { return tableCount() + columnCount(); }
  // Table of a column in [0, tableCount): the extra one for the global star.
  int tableOf(int column) const;
};

SchemaItems schemaItems(const SpiderSchema& schema);

}  // namespace fathom
