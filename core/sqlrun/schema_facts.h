// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include "core/base/json/json.h"

namespace fathom {

// Declarations of the database about its columns: {"tables":[{"name":…, "columns":[{"name":…, "notnull":bool,
// "unique":bool, "pk":n}]}]}. A single-column primary key is both; INTEGER PRIMARY KEY is never NULL. Used by
// the equivalence rules of the error categoriser. Errors carry SQLite's message.
Result<Json> readSchemaFacts(sqlite3* database);

}  // namespace fathom
