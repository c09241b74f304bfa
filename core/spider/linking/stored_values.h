// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/spider/data/prediction_file.h"
#include "core/spider/spider_schema.h"

namespace fathom {

// The prepared file of texts that stand in databases (fathom-sqlrun --values; docs/schema_linking.md §5).
struct StoredColumn {
  std::string table, column;  // in lower case, as the keys of a schema
  std::vector<std::string> values;
  std::string cut;  // what was left out and why, or ""
};

struct StoredDatabase {
  std::string sha256;  // of the database's file
  std::string fault;   // why there are no columns, or ""
  std::string cut;     // columns that were left out, or ""
  std::vector<StoredColumn> columns;
};

using StoredValues = std::map<std::string, StoredDatabase, std::less<>>;  // by db_id

// The databases of `ids` alone; the lines of others are not looked into. Errors name file, line and key.
Result<StoredValues> readStoredValues(const std::string& path, const SpiderDatabaseIds& ids);
Result<StoredValues> parseStoredValues(std::string_view text, const std::string& path,
                                       const SpiderDatabaseIds& ids);

// Notes on omissions, in words: databases that could not be read, columns with fewer values than there are;
// with `ids`, databases of which there is nothing at all.
std::vector<std::string> storedValueNotes(const StoredValues& values, const SpiderDatabaseIds& ids = {});

}  // namespace fathom
