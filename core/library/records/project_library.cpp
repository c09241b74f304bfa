// SPDX-License-Identifier: Apache-2.0
#include "core/library/records/project_library.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/library/records/library_error.h"
#include "core/library/records/library_migrations.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

// How long a call waits for another program that writes; FATHOM_LIBRARY_SECONDS says another time.
int busyMilliseconds() {
  const char* seconds = std::getenv("FATHOM_LIBRARY_SECONDS");
  return seconds != nullptr ? static_cast<int>(1000 * std::atof(seconds)) : 5000;
}

std::string libraryFile(const std::string& projectPath) {
  return ProjectFolder(projectPath).libraryPath();
}

// True if a folder holds what a writer of run folders makes before there is a project: runs/ and runs in it.
bool holdsOnlyRuns(const std::string& path) {
  const std::string runs = ProjectFolder(path).runsPath();
  const auto entries = entriesIn(path);
  if (!entries.ok() || entries->size() != 1 || entries->front().path() != fs::path(runs)) return false;
  const auto found = entriesIn(runs);
  return found.ok() && std::any_of(found->begin(), found->end(), [](const auto& entry) {
           return RunFolder(entry.path().string()).exists();
         });
}

Status addLink(SQLite::Database& database, const std::string& projectPath, const std::string& runPath) {
  const std::string absolute = absolutePath(runPath);
  return transacted(database, libraryFile(projectPath), [&]() -> Status {
    executeSql(database, "INSERT OR IGNORE INTO linked_run (path) VALUES (?)", absolute);
    return {};
  });
}

}  // namespace

Result<std::unique_ptr<ProjectLibrary>> ProjectLibrary::create(const std::string& projectPath) {
  std::error_code code;
  if (fs::exists(projectPath, code) &&
      !(fs::is_directory(projectPath, code) && fs::is_empty(projectPath, code)) &&
      !holdsOnlyRuns(projectPath)) {
    return aboutFile(
        projectPath,
        usageError(Phrase::tr("cannot make a project at %1: there is something already")(projectPath),
                   Phrase::tr("choose a new folder, or open that project")));
  }
  const bool existed = fileExists(projectPath);
  std::unique_ptr<ProjectLibrary> library(new ProjectLibrary);
  library->m_path = projectPath;
  const ProjectFolder folder(projectPath);
  const auto make = [&]() -> Status {
    for (const std::string& path : {folder.runsPath(), folder.queuePath(), folder.trashPath()})
      FATHOM_CHECK(makeFolders(path));
    FATHOM_CHECK(guarded(libraryFile(projectPath), [&]() -> Status {
      library->m_database = std::make_unique<SQLite::Database>(
          libraryFile(projectPath), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busyMilliseconds());
      return library->prepare();
    }));
    return syncFolder(projectPath);
  };
  const Status made = make();
  if (made.ok()) return library;
  // Only files of ours are there, and runs that were there before: the same path can be tried again.
  library->m_database.reset();
  const std::string file = libraryFile(projectPath);
  for (const std::string& path :
       {folder.runsPath(), folder.queuePath(), folder.trashPath(), file, file + "-journal"})
    fs::remove(path, code);
  if (!existed) ::rmdir(projectPath.c_str());
  return made.error();
}

Result<std::unique_ptr<ProjectLibrary>> ProjectLibrary::open(const std::string& projectPath) {
  const std::string file = libraryFile(projectPath);
  FATHOM_TRY(const bool there, isThere(file));
  if (!there && holdsOnlyRuns(projectPath)) return create(projectPath);
  std::error_code code;
  if (!there || !fs::is_regular_file(file, code)) {
    return aboutFile(
        projectPath,
        unavailableError(Phrase::tr("%1 is not a Fathom project: it has no library.sqlite")(projectPath),
                         Phrase::tr("name the project's folder, or make a new one")));
  }
  std::unique_ptr<ProjectLibrary> library(new ProjectLibrary);
  library->m_path = projectPath;
  // A rollback journal needs a writable folder, not only a writable file.
  library->m_readOnly = ::access(file.c_str(), W_OK) != 0 || ::access(projectPath.c_str(), W_OK) != 0;
  FATHOM_CHECK(guarded(file, [&]() -> Status {
    const int flags = library->m_readOnly ? SQLite::OPEN_READONLY : SQLite::OPEN_READWRITE;
    library->m_database = std::make_unique<SQLite::Database>(file, flags, busyMilliseconds());
    return library->prepare();
  }));
  return library;
}

Result<std::unique_ptr<ProjectLibrary>> ProjectLibrary::openOrCreate(const std::string& projectPath) {
  FATHOM_TRY(const bool there, isThere(libraryFile(projectPath)));
  if (there) return open(projectPath);
  return create(projectPath);
}

ProjectLibrary::~ProjectLibrary() = default;

Status ProjectLibrary::prepare() {
  hardenConnection(*m_database);
  if (m_readOnly) {
    const int version = m_database->execAndGet("PRAGMA user_version").getInt();
    if (m_database->execAndGet("PRAGMA application_id").getInt() == kLibraryApplicationId &&
        version == kLibrarySchema)
      return {};
    return dataErrorAt(
        libraryFile(m_path), 0,
        Phrase::tr("the project has schema %1 and is read-only, so it cannot be brought to schema %2")(
            version, kLibrarySchema),
        Phrase::tr("copy the project to a folder you can write to"));
  }
  const std::string mode = m_database->execAndGet("PRAGMA journal_mode=TRUNCATE").getString();
  if (mode != "truncate")
    return diskError(Phrase::tr("SQLite refuses the rollback journal (it says %1)")(mode));
  m_database->exec("PRAGMA synchronous=FULL");
  return migrateLibrary(*m_database, libraryFile(m_path));
}

Result<std::int64_t> ProjectLibrary::changeCounter() {
  // data_version tells changes of others, total_changes our own.
  return guarded(libraryFile(m_path), [&]() -> Result<std::int64_t> {
    const std::int64_t others = m_database->execAndGet("PRAGMA data_version").getInt64();
    return (others << 32) + m_database->getTotalChanges();
  });
}

Result<std::vector<std::string>> ProjectLibrary::linkedRuns() {
  return guarded(libraryFile(m_path), [&]() -> Result<std::vector<std::string>> {
    std::vector<std::string> paths;
    SQLite::Statement query(*m_database, "SELECT path FROM linked_run ORDER BY path");
    while (query.executeStep()) paths.push_back(query.getColumn(0).getString());
    return paths;
  });
}

Status ProjectLibrary::linkRun(const std::string& runPath) {
  FATHOM_TRY(const RunFolder run, RunFolder::open(runPath));
  return addLink(*m_database, m_path, runPath);
}

Status ProjectLibrary::relinkRun(const std::string& runPath) {
  return addLink(*m_database, m_path, runPath);
}

Status ProjectLibrary::unlinkRun(const std::string& runPath) {
  const std::string absolute = absolutePath(runPath);
  return transacted(*m_database, libraryFile(m_path), [&]() -> Status {
    executeSql(*m_database, "DELETE FROM linked_run WHERE path = ?", absolute);
    return {};
  });
}

}  // namespace fathom
