// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/imports/preview/table_columns.h"

namespace fathom {

// Words for what columns are (kColumnUses), by their names: those alone that a person chose.
using ColumnUses = std::map<std::string, std::string>;

// What a person said of the columns of tables, by the kind of table: those that have the same columns are of
// one. The last fifty kinds are kept.
class ColumnMemory {
 public:
  ColumnMemory() = default;
  // Of text(); what is no such text is nothing.
  explicit ColumnMemory(const std::string& text);
  std::string text() const;
  ColumnUses usesOf(const std::vector<SourceColumn>& columns) const;
  void remember(const std::vector<SourceColumn>& columns, const ColumnUses& uses);

 private:
  Json m_kinds = Json::array();  // the newest first
};

}  // namespace fathom
