// SPDX-License-Identifier: Apache-2.0
#include "core/library/records/library_error.h"

#include <sqlite3.h>

#include "core/base/errors/error_words.h"

namespace fathom {

Error sqliteError(const SQLite::Exception& exception, const std::string& file) {
  const int code = exception.getErrorCode() & 0xFF;
  Error error = diskError(Phrase::words(exception.what()));
  error.file = file;
  switch (code) {
    case SQLITE_ERROR:  // a table is missing, is a view or has other columns: our statements are right
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_SCHEMA:
      error.kind = ErrorKind::Data;
      return withHint(error,
                      Phrase::tr("the file is damaged; restore it from a copy (library.sqlite.*.bak)"));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      error.resource = ResourceKind::Unavailable;
      return withHint(error, Phrase::tr("another window or command is writing; try again"));
    case SQLITE_FULL:
      return withHint(error, Phrase::tr("the disk is full: make room, nothing was changed"));
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return withHint(error, Phrase::tr("check the permissions of the folder"));
    case SQLITE_NOMEM:
      error.resource = ResourceKind::HostMemory;
      break;
    default:
      break;
  }
  return error;
}

void hardenConnection(SQLite::Database& database) {
  sqlite3* handle = database.getHandle();
  const std::pair<int, int> settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                          {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                          {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                          {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                          {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                          {SQLITE_DBCONFIG_DQS_DML, 0},
                                          {SQLITE_DBCONFIG_DQS_DDL, 0}};
  for (const auto& [option, value] : settings) sqlite3_db_config(handle, option, value, nullptr);
  database.exec("PRAGMA trusted_schema=OFF");
  database.exec("PRAGMA cell_size_check=ON");
  database.exec("PRAGMA mmap_size=0");
  database.exec("PRAGMA temp_store=MEMORY");
  database.exec("PRAGMA foreign_keys=ON");
}

}  // namespace fathom
