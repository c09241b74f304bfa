// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/imports/imported_run.h"

namespace fathom {

// A column of a table as its head and first rows tell it.
struct SourceColumn {
  std::string name;     // as it stands in the file
  std::string example;  // its first cell with something in it, "" = none in the first rows
  std::string use;      // what it is taken for, a word of kColumnUses (csv_columns.h)
};

// The columns of a table: what ImportOptions::columns says of them goes before what their names tell. None
// of a table that nobody can say more of (W&B's chart export), and of one in which no row is whole yet.
// Reads 64 KiB. Errors name file and line.
Result<std::vector<SourceColumn>> tableColumns(const std::string& path, const ImportOptions& options);

}  // namespace fathom
