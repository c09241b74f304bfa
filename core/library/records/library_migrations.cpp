// SPDX-License-Identifier: Apache-2.0
#include "core/library/records/library_migrations.h"

#include <array>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/library/records/library_error.h"

namespace fathom {

namespace {

// One step per schema version; a step is never changed after it was released.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE run (
  uuid TEXT PRIMARY KEY, name TEXT NOT NULL, notes TEXT NOT NULL, colour TEXT NOT NULL, starred INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE run_tag (run TEXT NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (run, tag)) WITHOUT ROWID;
CREATE TABLE linked_run (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE grid (
  uuid TEXT PRIMARY KEY, name TEXT NOT NULL, created TEXT NOT NULL, base TEXT NOT NULL, axes TEXT NOT NULL,
  runs TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE document (
  kind TEXT NOT NULL, uuid TEXT NOT NULL, name TEXT NOT NULL, changed TEXT NOT NULL, content TEXT NOT NULL,
  PRIMARY KEY (kind, uuid)
) WITHOUT ROWID;
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
)sql";

constexpr const char* kVersion2 = R"sql(
CREATE TABLE override_change (
  id INTEGER PRIMARY KEY AUTOINCREMENT, dataset TEXT NOT NULL, example INTEGER NOT NULL, sql TEXT NOT NULL,
  preset TEXT NOT NULL, category TEXT NOT NULL, program_says TEXT NOT NULL, note TEXT NOT NULL,
  author TEXT NOT NULL, changed TEXT NOT NULL
);
CREATE INDEX override_by_key ON override_change (dataset, preset, example, sql, id);
CREATE TABLE example_note (
  dataset TEXT NOT NULL, example INTEGER NOT NULL, topic TEXT NOT NULL, content TEXT NOT NULL,
  PRIMARY KEY (dataset, example, topic)
) WITHOUT ROWID;
)sql";

constexpr const char* kVersion3 = "ALTER TABLE override_change ADD COLUMN system TEXT NOT NULL DEFAULT ''";

// Runs get theirs when they are first listed (run_looks.h): what they are made of lies in their folders.
constexpr const char* kVersion4 = R"sql(
CREATE TABLE run_look (run TEXT PRIMARY KEY, configuration TEXT NOT NULL, number INTEGER NOT NULL) WITHOUT ROWID;
)sql";

constexpr std::array<const char*, kLibrarySchema> kSteps = {kVersion1, kVersion2, kVersion3, kVersion4};

int pragmaValue(SQLite::Database& database, const char* name) {
  return database.execAndGet(std::string("PRAGMA ") + name).getInt();
}

// A copy through SQLite itself, under its final name only when it is whole.
Status backUp(SQLite::Database& database, const std::string& file, int version) {
  const std::string target = file + ".v" + std::to_string(version) + ".bak";
  if (fileExists(target)) return {};
  const std::string temporary = target + ".tmp";
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  executeSql(database, "VACUUM INTO ?", temporary);
  FATHOM_CHECK(renamePath(temporary, target));
  return syncFolder(std::filesystem::path(file).parent_path().string());
}

Status checkIdentity(SQLite::Database& database, const std::string& file, int& version) {
  const int application = pragmaValue(database, "application_id");
  version = pragmaValue(database, "user_version");
  const bool empty = database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
  if (empty && application == 0 && version == 0) return {};
  if (application != kLibraryApplicationId)
    return dataErrorAt(file, 0, Phrase::tr("this SQLite file is not the library of a Fathom project"));
  if (version > kLibrarySchema) {
    return dataErrorAt(
        file, 0,
        Phrase::tr("the project was written by a newer Fathom (schema %1, this program knows %2)")(
            version, kLibrarySchema),
        Phrase::tr("open it with that version"));
  }
  return {};
}

}  // namespace

Status migrateLibrary(SQLite::Database& database, const std::string& file) {
  int version = 0;
  FATHOM_CHECK(checkIdentity(database, file, version));
  if (version == kLibrarySchema) return {};
  if (version > 0) FATHOM_CHECK(backUp(database, file, version));
  return transacted(database, file, [&]() -> Status {
    // Somebody else may have migrated while we waited for the lock.
    FATHOM_CHECK(checkIdentity(database, file, version));
    for (int step = version; step < kLibrarySchema; ++step)
      database.exec(kSteps[static_cast<std::size_t>(step)]);
    database.exec("PRAGMA application_id=" + std::to_string(kLibraryApplicationId));
    database.exec("PRAGMA user_version=" + std::to_string(kLibrarySchema));
    return {};
  });
}

}  // namespace fathom
