// SPDX-License-Identifier: Apache-2.0
// The tables of project_library.h: notes, grids, documents, settings.
#include <algorithm>

#include "core/base/files/hash.h"
#include "core/library/records/library_error.h"
#include "core/library/records/project_library.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

// Stored JSON is ours; a value that does not parse reads as null.
Json storedJson(const std::string& text) {
  auto json = parseJson(text, {}, {64, std::size_t{64} << 20, true});
  return json.ok() ? std::move(*json) : Json();
}

std::vector<std::string> textList(const Json& json) {
  std::vector<std::string> texts;
  for (const Json& item : json) {
    if (item.is_string()) texts.push_back(item.get<std::string>());
  }
  return texts;
}

// From a row of uuid, name, notes, colour and starred.
void fillNotes(SQLite::Statement& query, RunNotes& notes) {
  notes.name = query.getColumn(1).getString();
  notes.notes = query.getColumn(2).getString();
  notes.colour = query.getColumn(3).getString();
  notes.starred = query.getColumn(4).getInt() != 0;
}

RunNotes readNotes(SQLite::Database& database, const std::string& run) {
  RunNotes notes;
  SQLite::Statement query =
      statementOf(database, "SELECT uuid, name, notes, colour, starred FROM run WHERE uuid = ?", run);
  if (query.executeStep()) {
    fillNotes(query, notes);
  }
  SQLite::Statement tags = statementOf(database, "SELECT tag FROM run_tag WHERE run = ? ORDER BY tag", run);
  while (tags.executeStep()) notes.tags.push_back(tags.getColumn(0).getString());
  return notes;
}

GridRecord gridFromRow(SQLite::Statement& query) {
  GridRecord grid;
  grid.uuid = query.getColumn(0).getString();
  grid.name = query.getColumn(1).getString();
  grid.created = query.getColumn(2).getString();
  grid.base = storedJson(query.getColumn(3).getString());
  grid.axes = storedJson(query.getColumn(4).getString());
  grid.runs = textList(storedJson(query.getColumn(5).getString()));
  return grid;
}

std::optional<GridRecord> readGrid(SQLite::Database& database, const std::string& uuid) {
  SQLite::Statement query =
      statementOf(database, "SELECT uuid, name, created, base, axes, runs FROM grid WHERE uuid = ?", uuid);
  if (!query.executeStep()) return std::nullopt;
  return gridFromRow(query);
}

SavedDocument documentFromRow(SQLite::Statement& query) {
  SavedDocument document;
  document.uuid = query.getColumn(0).getString();
  document.name = query.getColumn(1).getString();
  document.changed = query.getColumn(2).getString();
  document.content = storedJson(query.getColumn(3).getString());
  return document;
}

std::optional<SavedDocument> readDocument(SQLite::Database& database, const std::string& kind,
                                          const std::string& uuid) {
  SQLite::Statement query = statementOf(
      database, "SELECT uuid, name, changed, content FROM document WHERE kind = ? AND uuid = ?", kind, uuid);
  if (!query.executeStep()) return std::nullopt;
  return documentFromRow(query);
}

}  // namespace

Result<std::map<std::string, RunNotes>> ProjectLibrary::allRunNotes() {
  return guarded(m_path, [&]() -> Result<std::map<std::string, RunNotes>> {
    std::map<std::string, RunNotes> all;
    SQLite::Statement query(*m_database, "SELECT uuid, name, notes, colour, starred FROM run");
    while (query.executeStep()) {
      fillNotes(query, all[query.getColumn(0).getString()]);
    }
    SQLite::Statement tags(*m_database, "SELECT run, tag FROM run_tag ORDER BY run, tag");
    while (tags.executeStep())
      all[tags.getColumn(0).getString()].tags.push_back(tags.getColumn(1).getString());
    return all;
  });
}

Result<RunNotes> ProjectLibrary::setRunNotes(const std::string& run, const RunNotes& notes) {
  return transacted(*m_database, m_path, [&]() -> Result<RunNotes> {
    RunNotes before = readNotes(*m_database, run);
    executeSql(*m_database,
               "INSERT INTO run (uuid, name, notes, colour, starred) VALUES (?, ?, ?, ?, ?) "
               "ON CONFLICT (uuid) DO UPDATE SET name = excluded.name, notes = excluded.notes, "
               "colour = excluded.colour, starred = excluded.starred",
               run, notes.name, notes.notes, notes.colour, notes.starred ? 1 : 0);
    executeSql(*m_database, "DELETE FROM run_tag WHERE run = ?", run);
    for (const std::string& tag : notes.tags) {
      executeSql(*m_database, "INSERT OR IGNORE INTO run_tag (run, tag) VALUES (?, ?)", run, tag);
    }
    return before;
  });
}

Result<std::vector<GridRecord>> ProjectLibrary::grids() {
  return guarded(m_path, [&]() -> Result<std::vector<GridRecord>> {
    std::vector<GridRecord> all;
    SQLite::Statement query(*m_database,
                            "SELECT uuid, name, created, base, axes, runs FROM grid ORDER BY created, uuid");
    while (query.executeStep()) all.push_back(gridFromRow(query));
    return all;
  });
}

Result<std::optional<GridRecord>> ProjectLibrary::setGrid(const GridRecord& grid) {
  return transacted(*m_database, m_path, [&]() -> Result<std::optional<GridRecord>> {
    auto before = readGrid(*m_database, grid.uuid);
    executeSql(*m_database,
               "INSERT OR REPLACE INTO grid (uuid, name, created, base, axes, runs) "
               "VALUES (?, ?, ?, ?, ?, ?)",
               grid.uuid, grid.name, grid.created.empty() ? isoTimeNow() : grid.created, grid.base.dump(),
               grid.axes.dump(), Json(grid.runs).dump());
    return before;
  });
}

Result<std::optional<GridRecord>> ProjectLibrary::removeGrid(const std::string& uuid) {
  return transacted(*m_database, m_path, [&]() -> Result<std::optional<GridRecord>> {
    auto before = readGrid(*m_database, uuid);
    executeSql(*m_database, "DELETE FROM grid WHERE uuid = ?", uuid);
    return before;
  });
}

Result<std::vector<SavedDocument>> ProjectLibrary::documents(const std::string& kind) {
  return guarded(m_path, [&]() -> Result<std::vector<SavedDocument>> {
    std::vector<SavedDocument> all;
    SQLite::Statement query = statementOf(
        *m_database, "SELECT uuid, name, changed, content FROM document WHERE kind = ? ORDER BY name, uuid",
        kind);
    while (query.executeStep()) all.push_back(documentFromRow(query));
    return all;
  });
}

Result<std::optional<SavedDocument>> ProjectLibrary::setDocument(const std::string& kind,
                                                                 const SavedDocument& document) {
  return transacted(*m_database, m_path, [&]() -> Result<std::optional<SavedDocument>> {
    auto before = readDocument(*m_database, kind, document.uuid);
    executeSql(*m_database,
               "INSERT OR REPLACE INTO document (kind, uuid, name, changed, content) "
               "VALUES (?, ?, ?, ?, ?)",
               kind, document.uuid, document.name, isoTimeNow(), document.content.dump());
    return before;
  });
}

Result<std::optional<SavedDocument>> ProjectLibrary::removeDocument(const std::string& kind,
                                                                    const std::string& uuid) {
  return transacted(*m_database, m_path, [&]() -> Result<std::optional<SavedDocument>> {
    auto before = readDocument(*m_database, kind, uuid);
    executeSql(*m_database, "DELETE FROM document WHERE kind = ? AND uuid = ?", kind, uuid);
    return before;
  });
}

Result<Json> ProjectLibrary::setting(const std::string& key, const Json& fallback) {
  return guarded(m_path, [&]() -> Result<Json> {
    SQLite::Statement query = statementOf(*m_database, "SELECT value FROM setting WHERE key = ?", key);
    if (!query.executeStep()) return fallback;
    return storedJson(query.getColumn(0).getString());
  });
}

Result<Json> ProjectLibrary::setSetting(const std::string& key, const Json& value) {
  return transacted(*m_database, m_path, [&]() -> Result<Json> {
    Json before;
    SQLite::Statement query = statementOf(*m_database, "SELECT value FROM setting WHERE key = ?", key);
    if (query.executeStep()) before = storedJson(query.getColumn(0).getString());
    executeSql(*m_database, "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", key, value.dump());
    return before;
  });
}

}  // namespace fathom
