// SPDX-License-Identifier: Apache-2.0
#include "core/library/runs/row_table.h"

#include <algorithm>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_ranges.h"
#include "core/library/records/library_error.h"

namespace fathom {

namespace {

std::string textOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string_view columnText(SQLite::Statement& query, int column) {
  const SQLite::Column text = query.getColumn(column);
  return {text.getText(), static_cast<std::size_t>(text.getBytes())};
}

// std::nullopt where the text is damaged.
std::optional<RunRow> rowFrom(std::string_view text, std::string_view rest, RowParts parts) {
  auto json = parseJson(text);
  if (!json.ok() || !json->is_object()) return std::nullopt;
  if (parts == RowParts::All) {
    auto more = parseJson(rest);
    if (!more.ok() || !more->is_object()) return std::nullopt;
    for (auto& [key, value] : more->items()) (*json)[key] = std::move(value);
  }
  std::optional<RunRow> row;
  // A member of another type is damage, too.
  if (errorThrownBy([&] { row = runRowFromJson(*json); })) return std::nullopt;
  return row;
}

}  // namespace

int listingThreads(std::size_t count) {
  constexpr std::size_t kFewest = 300;
  constexpr unsigned kMost = 8;
  return count < kFewest ? 1 : static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, kMost));
}

void createRowTable(SQLite::Database& database) {
  database.exec(R"sql(
CREATE TABLE run_row (
  path TEXT PRIMARY KEY, stamp TEXT NOT NULL, uuid TEXT NOT NULL, name TEXT NOT NULL, created TEXT NOT NULL,
  ended INTEGER NOT NULL, row TEXT NOT NULL, more TEXT NOT NULL
);
)sql");
}

std::vector<IndexedRun> loadIndexedRuns(SQLite::Database& database) {
  std::vector<IndexedRun> runs;
  SQLite::Statement query(database, "SELECT path, stamp, uuid, name, created, ended FROM run_row");
  while (query.executeStep()) {
    runs.push_back({query.getColumn(0).getString(), query.getColumn(1).getString(),
                    query.getColumn(2).getString(), query.getColumn(3).getString(),
                    query.getColumn(4).getString(), query.getColumn(5).getInt() != 0});
  }
  return runs;
}

void storeRow(SQLite::Database& database, const std::string& stamp, const RunRow& row) {
  // Most of a row is asked for rarely, and written without a copy of it.
  const std::string more =
      "{\"provenance\":" + textOf(row.identity.provenance) + ",\"options\":" + textOf(row.options) + "}";
  executeSql(database,
             "INSERT OR REPLACE INTO run_row (path, stamp, uuid, name, created, ended, row, "
             "more) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
             row.path, stamp, row.identity.uuid, row.name, row.identity.created,
             row.finishedAt.empty() ? 0 : 1, textOf(runRowToJson(row, RowParts::WithoutOptions)), more);
}

void removeRow(SQLite::Database& database, const std::string& path) {
  executeSql(database, "DELETE FROM run_row WHERE path = ?", path);
}

std::vector<std::optional<RunRow>> loadRows(SQLite::Database& database,
                                            const std::vector<const IndexedRun*>& runs, RowParts parts) {
  struct Texts {
    std::string row, more;
  };
  std::vector<Texts> texts(runs.size());
  const SQLite::Transaction together(database);  // one look at the file for all of them
  SQLite::Statement query(database, "SELECT row, more FROM run_row WHERE path = ? AND stamp = ?");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    query.bindNoCopy(1, runs[i]->path);
    query.bindNoCopy(2, runs[i]->stamp);
    if (query.executeStep()) {
      texts[i].row = columnText(query, 0);
      if (parts == RowParts::All) texts[i].more = columnText(query, 1);
    }
    query.reset();
  }
  std::vector<std::optional<RunRow>> rows(runs.size());
  const Status read =
      forRanges(runs.size(), listingThreads(runs.size()), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          if (!texts[i].row.empty()) rows[i] = rowFrom(texts[i].row, texts[i].more, parts);
          if (rows[i]) rows[i]->path = runs[i]->path;
        }
      });
  if (!read.ok()) throw Failure(read.error());
  return rows;
}

}  // namespace fathom
