// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/result.h"

namespace SQLite {
class Database;
}

namespace fathom {

inline constexpr int kLibraryApplicationId = 0x46544C42;  // "FTLB"
inline constexpr int kLibrarySchema = 4;

// Brings library.sqlite from version 0 (an empty file) or an older schema to kLibrarySchema, in one
// transaction, after a backup as <file>.v<N>.bak where there is anything to lose. A foreign application id or
// a newer schema is refused. Safe when two programs migrate at the same time.
Status migrateLibrary(SQLite::Database& database, const std::string& file);

}  // namespace fathom
