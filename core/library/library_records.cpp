// SPDX-License-Identifier: Apache-2.0
// The tables of project_library.h: notes, grids, documents, settings.
#include <algorithm>

#include "core/base/hash.h"
#include "core/library/library_error.h"
#include "core/library/project_library.h"
#include "core/record/run_folder.h"

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

RunNotes readNotes(SQLite::Database& database, const std::string& run) {
  RunNotes notes;
  SQLite::Statement query(database, "SELECT name, notes, colour, starred FROM run WHERE uuid = ?");
  query.bind(1, run);
  if (query.executeStep()) {
    notes.name = query.getColumn(0).getString();
    notes.notes = query.getColumn(1).getString();
    notes.colour = query.getColumn(2).getString();
    notes.starred = query.getColumn(3).getInt() != 0;
  }
  SQLite::Statement tags(database, "SELECT tag FROM run_tag WHERE run = ? ORDER BY tag");
  tags.bind(1, run);
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
  SQLite::Statement query(database, "SELECT uuid, name, created, base, axes, runs FROM grid WHERE uuid = ?");
  query.bind(1, uuid);
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
  SQLite::Statement query(database,
                          "SELECT uuid, name, changed, content FROM document WHERE kind = ? AND uuid = ?");
  query.bind(1, kind);
  query.bind(2, uuid);
  if (!query.executeStep()) return std::nullopt;
  return documentFromRow(query);
}

}  // namespace

Result<std::map<std::string, RunNotes>> ProjectLibrary::allRunNotes() {
  return guarded(m_path, [&]() -> Result<std::map<std::string, RunNotes>> {
    std::map<std::string, RunNotes> all;
    SQLite::Statement query(*m_database, "SELECT uuid, name, notes, colour, starred FROM run");
    while (query.executeStep()) {
      RunNotes& notes = all[query.getColumn(0).getString()];
      notes.name = query.getColumn(1).getString();
      notes.notes = query.getColumn(2).getString();
      notes.colour = query.getColumn(3).getString();
      notes.starred = query.getColumn(4).getInt() != 0;
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
    SQLite::Statement set(*m_database,
                          "INSERT INTO run (uuid, name, notes, colour, starred) VALUES (?, ?, ?, ?, ?) "
                          "ON CONFLICT (uuid) DO UPDATE SET name = excluded.name, notes = excluded.notes, "
                          "colour = excluded.colour, starred = excluded.starred");
    set.bind(1, run);
    set.bind(2, notes.name);
    set.bind(3, notes.notes);
    set.bind(4, notes.colour);
    set.bind(5, notes.starred ? 1 : 0);
    set.exec();
    SQLite::Statement clear(*m_database, "DELETE FROM run_tag WHERE run = ?");
    clear.bind(1, run);
    clear.exec();
    for (const std::string& tag : notes.tags) {
      SQLite::Statement add(*m_database, "INSERT OR IGNORE INTO run_tag (run, tag) VALUES (?, ?)");
      add.bind(1, run);
      add.bind(2, tag);
      add.exec();
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
    SQLite::Statement set(*m_database,
                          "INSERT OR REPLACE INTO grid (uuid, name, created, base, axes, runs) "
                          "VALUES (?, ?, ?, ?, ?, ?)");
    set.bind(1, grid.uuid);
    set.bind(2, grid.name);
    set.bind(3, grid.created.empty() ? isoTimeNow() : grid.created);
    set.bind(4, grid.base.dump());
    set.bind(5, grid.axes.dump());
    set.bind(6, Json(grid.runs).dump());
    set.exec();
    return before;
  });
}

Result<std::optional<GridRecord>> ProjectLibrary::removeGrid(const std::string& uuid) {
  return transacted(*m_database, m_path, [&]() -> Result<std::optional<GridRecord>> {
    auto before = readGrid(*m_database, uuid);
    SQLite::Statement remove(*m_database, "DELETE FROM grid WHERE uuid = ?");
    remove.bind(1, uuid);
    remove.exec();
    return before;
  });
}

Result<std::vector<SavedDocument>> ProjectLibrary::documents(const std::string& kind) {
  return guarded(m_path, [&]() -> Result<std::vector<SavedDocument>> {
    std::vector<SavedDocument> all;
    SQLite::Statement query(
        *m_database, "SELECT uuid, name, changed, content FROM document WHERE kind = ? ORDER BY name, uuid");
    query.bind(1, kind);
    while (query.executeStep()) all.push_back(documentFromRow(query));
    return all;
  });
}

Result<std::optional<SavedDocument>> ProjectLibrary::setDocument(const std::string& kind,
                                                                 const SavedDocument& document) {
  return transacted(*m_database, m_path, [&]() -> Result<std::optional<SavedDocument>> {
    auto before = readDocument(*m_database, kind, document.uuid);
    SQLite::Statement set(*m_database,
                          "INSERT OR REPLACE INTO document (kind, uuid, name, changed, content) "
                          "VALUES (?, ?, ?, ?, ?)");
    set.bind(1, kind);
    set.bind(2, document.uuid);
    set.bind(3, document.name);
    set.bind(4, isoTimeNow());
    set.bind(5, document.content.dump());
    set.exec();
    return before;
  });
}

Result<std::optional<SavedDocument>> ProjectLibrary::removeDocument(const std::string& kind,
                                                                    const std::string& uuid) {
  return transacted(*m_database, m_path, [&]() -> Result<std::optional<SavedDocument>> {
    auto before = readDocument(*m_database, kind, uuid);
    SQLite::Statement remove(*m_database, "DELETE FROM document WHERE kind = ? AND uuid = ?");
    remove.bind(1, kind);
    remove.bind(2, uuid);
    remove.exec();
    return before;
  });
}

Result<Json> ProjectLibrary::setting(const std::string& key, const Json& fallback) {
  return guarded(m_path, [&]() -> Result<Json> {
    SQLite::Statement query(*m_database, "SELECT value FROM setting WHERE key = ?");
    query.bind(1, key);
    if (!query.executeStep()) return fallback;
    return storedJson(query.getColumn(0).getString());
  });
}

Result<Json> ProjectLibrary::setSetting(const std::string& key, const Json& value) {
  return transacted(*m_database, m_path, [&]() -> Result<Json> {
    Json before;
    SQLite::Statement query(*m_database, "SELECT value FROM setting WHERE key = ?");
    query.bind(1, key);
    if (query.executeStep()) before = storedJson(query.getColumn(0).getString());
    SQLite::Statement set(*m_database, "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)");
    set.bind(1, key);
    set.bind(2, value.dump());
    set.exec();
    return before;
  });
}

}  // namespace fathom
