// SPDX-License-Identifier: Apache-2.0
#include "core/library/records/annotations.h"

#include "core/library/records/library_error.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr const char* kColumns =
    "id, dataset, example, sql, preset, category, program_says, note, author, changed, system";

OverrideChange changeFromRow(SQLite::Statement& query) {
  OverrideChange change;
  change.id = query.getColumn(0).getInt64();
  CategoryOverride& value = change.value;
  value.key.dataset = query.getColumn(1).getString();
  value.key.example = query.getColumn(2).getInt64();
  value.key.normalisedSql = query.getColumn(3).getString();
  value.key.preset = query.getColumn(4).getString();
  value.category = query.getColumn(5).getString();
  value.programSays = query.getColumn(6).getString();
  value.note = query.getColumn(7).getString();
  value.author = query.getColumn(8).getString();
  value.changed = query.getColumn(9).getString();
  value.system = query.getColumn(10).getString();
  return change;
}

std::vector<OverrideChange> historyOf(ProjectLibrary& library, const OverrideKey& key) {
  SQLite::Statement query =
      statementOf(library.database(),
                  std::string("SELECT ") + kColumns +
                      " FROM override_change WHERE dataset = ? AND preset = ? AND example = ? AND "
                      "sql = ? ORDER BY id DESC",
                  key.dataset, key.preset, key.example, key.normalisedSql);
  std::vector<OverrideChange> changes;
  while (query.executeStep()) changes.push_back(changeFromRow(query));
  return changes;
}

std::optional<CategoryOverride> inForce(const std::vector<OverrideChange>& history) {
  if (history.empty() || history.front().value.category.empty()) return std::nullopt;
  return history.front().value;
}

}  // namespace

Result<std::optional<CategoryOverride>> setOverride(ProjectLibrary& library, const CategoryOverride& value) {
  return transacted(library.database(), library.path(), [&]() -> Result<std::optional<CategoryOverride>> {
    auto before = inForce(historyOf(library, value.key));
    executeSql(library.database(),
               "INSERT INTO override_change (dataset, preset, example, sql, category, program_says, "
               "note, author, changed, system) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               value.key.dataset, value.key.preset, value.key.example, value.key.normalisedSql,
               value.category, value.programSays, value.note, value.author,
               value.changed.empty() ? isoTimeNow() : value.changed, value.system);
    return before;
  });
}

Result<std::optional<CategoryOverride>> findOverride(ProjectLibrary& library, const OverrideKey& key) {
  return guarded(library.path(), [&]() -> Result<std::optional<CategoryOverride>> {
    return inForce(historyOf(library, key));
  });
}

Result<std::vector<CategoryOverride>> overridesOf(ProjectLibrary& library, const std::string& dataset,
                                                  const std::string& preset) {
  return guarded(library.path(), [&]() -> Result<std::vector<CategoryOverride>> {
    SQLite::Statement query =
        statementOf(library.database(),
                    std::string("SELECT ") + kColumns +
                        " FROM override_change WHERE id IN (SELECT max(id) FROM override_change WHERE "
                        "dataset = ? AND preset = ? GROUP BY example, sql) AND category <> '' ORDER BY "
                        "example, sql",
                    dataset, preset);
    std::vector<CategoryOverride> all;
    while (query.executeStep()) all.push_back(changeFromRow(query).value);
    return all;
  });
}

Result<std::vector<OverrideChange>> overrideHistory(ProjectLibrary& library, const OverrideKey& key) {
  return guarded(library.path(),
                 [&]() -> Result<std::vector<OverrideChange>> { return historyOf(library, key); });
}

Result<ExampleNotes> exampleNotes(ProjectLibrary& library, const std::string& dataset) {
  return guarded(library.path(), [&]() -> Result<ExampleNotes> {
    SQLite::Statement query = statementOf(
        library.database(), "SELECT example, topic, content FROM example_note WHERE dataset = ?", dataset);
    ExampleNotes notes;
    while (query.executeStep())
      notes[{query.getColumn(0).getInt64(), query.getColumn(1).getString()}] = query.getColumn(2).getString();
    return notes;
  });
}

Result<std::string> exampleNote(ProjectLibrary& library, const std::string& dataset, std::int64_t example,
                                const std::string& topic) {
  return guarded(library.path(), [&]() -> Result<std::string> {
    SQLite::Statement query =
        statementOf(library.database(),
                    "SELECT content FROM example_note WHERE dataset = ? AND example = ? AND topic = ?",
                    dataset, example, topic);
    return query.executeStep() ? query.getColumn(0).getString() : std::string();
  });
}

Result<std::string> setExampleNote(ProjectLibrary& library, const std::string& dataset, std::int64_t example,
                                   const std::string& topic, const std::string& text) {
  return transacted(library.database(), library.path(), [&]() -> Result<std::string> {
    FATHOM_TRY(std::string before, exampleNote(library, dataset, example, topic));
    SQLite::Statement set =
        statementOf(library.database(),
                    text.empty() ? "DELETE FROM example_note WHERE dataset = ? AND example = ? AND topic = ?"
                                 : "INSERT OR REPLACE INTO example_note (dataset, example, topic, content) "
                                   "VALUES (?, ?, ?, ?)",
                    dataset, example, topic);
    if (!text.empty()) set.bind(4, text);
    set.exec();
    return before;
  });
}

}  // namespace fathom
