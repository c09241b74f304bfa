// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/record/runs/project_folder.h"

namespace SQLite {
class Database;
}

namespace fathom {

// Notes of people about a run; the run's own folder is never touched.
struct RunNotes {
  std::string name;  // "" = the name in run.json
  std::string notes;
  std::string colour;  // "#rrggbb", "" = by order
  bool starred = false;
  std::vector<std::string> tags;  // in alphabetical order
  bool operator==(const RunNotes&) const = default;
};

// Options × seeds as one object. `axes` and `base` are configurations' own JSON; `runs` in launch order.
struct GridRecord {
  std::string uuid;
  std::string name;
  std::string created;            // ISO 8601 UTC
  Json base = Json::object();     // RunConfig as JSON
  Json axes = Json::array();      // [{"key":…, "values":[…]}]
  std::vector<std::string> runs;  // run UUIDs
};

// A small JSON document people keep under a name: figure recipes, saved selections.
struct SavedDocument {
  std::string uuid;
  std::string name;
  std::string changed;  // ISO 8601 UTC
  Json content = Json::object();
};

// The project's library.sqlite: what people make (docs/project_files.md §1). Window, shell and runner may all
// have it open and write: every call is one short BEGIN IMMEDIATE transaction that waits up to 5 s for the
// others. One object belongs to one thread. Every set… returns the value before, so that an edit can be
// undone by setting that again.
//
// A project is a folder, usually <name>.fathom, with library.sqlite, index.sqlite (see curve_index.h), runs/,
// queue/ (see queue_folder.h) and trash/.
class ProjectLibrary {
 public:
  // Makes the folder; usage error when it exists and is not empty.
  static Result<std::unique_ptr<ProjectLibrary>> create(const std::string& projectPath);
  // Usage error when it is not a project, data error when it is damaged or newer than this program. An older
  // library is backed up as library.sqlite.v<N>.bak and migrated. `readOnly()` tells a folder without write
  // permission.
  static Result<std::unique_ptr<ProjectLibrary>> open(const std::string& projectPath);
  static Result<std::unique_ptr<ProjectLibrary>> openOrCreate(const std::string& projectPath);
  ~ProjectLibrary();

  const std::string& path() const { return m_path; }
  bool readOnly() const { return m_readOnly; }
  std::string runsPath() const { return ProjectFolder(m_path).runsPath(); }
  std::string trashPath() const { return ProjectFolder(m_path).trashPath(); }
  // A number that is another one after every change by anybody: poll it to see whether to read again.
  Result<std::int64_t> changeCounter();

  // --- runs ---------------------------------------------------------------------------------------------
  Result<std::map<std::string, RunNotes>> allRunNotes();
  Result<RunNotes> setRunNotes(const std::string& run, const RunNotes& notes);
  // Runs outside the project's runs/ folder that it shows too; by path.
  Result<std::vector<std::string>> linkedRuns();
  Status linkRun(const std::string& runPath);
  Status unlinkRun(const std::string& runPath);
  // Links again what trashRun (core/library/runs/run_trash.h) has unlinked, readable or not.
  Status relinkRun(const std::string& runPath);

  // --- grids --------------------------------------------------------------------------------------------
  Result<std::vector<GridRecord>> grids();
  Result<std::optional<GridRecord>> setGrid(const GridRecord& grid);  // by uuid
  Result<std::optional<GridRecord>> removeGrid(const std::string& uuid);

  // --- named documents: "figure" (see figure_recipe.h), "selection" -------------------------------------
  Result<std::vector<SavedDocument>> documents(const std::string& kind);
  Result<std::optional<SavedDocument>> setDocument(const std::string& kind, const SavedDocument& document);
  Result<std::optional<SavedDocument>> removeDocument(const std::string& kind, const std::string& uuid);

  // --- settings of the project: small values by key, e.g. "disk.budget_bytes" ---------------------------
  Result<Json> setting(const std::string& key, const Json& fallback);
  Result<Json> setSetting(const std::string& key, const Json& value);

  // For annotations.h and the tests of this folder.
  SQLite::Database& database() { return *m_database; }

 private:
  ProjectLibrary() = default;
  Status prepare();
  std::string m_path;
  std::unique_ptr<SQLite::Database> m_database;
  bool m_readOnly = false;
};

}  // namespace fathom
