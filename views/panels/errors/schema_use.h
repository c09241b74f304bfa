// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "core/spider/judgement/spider_error_category.h"

namespace fathom {

// What one query touches of its schema, all levels together.
struct SchemaUse {
  std::set<int> tables, columns;
  std::vector<std::pair<int, int>> joins;  // columns that ON sets equal, smaller id first
};
SchemaUse schemaUse(const PreparedSql& query);

// Where the tables stand: cells of a grid, joined tables near each other. One per table of the schema.
struct SchemaCell {
  int column = 0, row = 0;
};
std::vector<SchemaCell> placeTables(const SpiderSchema& schema, int columns);

}  // namespace fathom
