// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_json.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "core/base/text/edit_distance.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/metric_catalogue.h"
#include "core/record/import/foreign_run.h"
#include "core/record/runs/run_verdict.h"

namespace fathom {

namespace {

constexpr std::string_view kGridWord = "grid:";

// Adds the runs of a grid that have a folder; a combination that only waits has none yet.
Status addRunsOfGrid(ProjectLibrary& library, RunListing& listing, const std::string& word,
                     std::vector<RunRow>& rows) {
  FATHOM_TRY(const GridRecord grid, findGrid(library, word));
  return listing.select(grid.runs, [&](RunRow row) { rows.push_back(std::move(row)); });
}

}  // namespace

bool tellsItsTime(const RunRow& row) {
  return row.elapsed > 0 || !row.details.contains("imported_from");
}

Json runJson(const RunRow& row, RowParts parts) {
  Json json = runRowToJson(row, parts);
  if (!tellsItsTime(row)) json["elapsed"] = nullptr;
  json["path"] = row.path;
  json["tags"] = row.notes.tags;
  json["notes"] = row.notes.notes;
  if (const BroughtNotes brought = broughtNotes(row.identity.provenance); parts == RowParts::All) {
    if (!brought.group.empty()) json["group"] = brought.group;
    if (!brought.jobType.empty()) json["job_type"] = brought.jobType;
  }
  json["colour"] = row.notes.colour;
  json["starred"] = row.notes.starred;
  return json;
}

RunRow queuedRow(const QueueEntry& entry) {
  RunRow row;
  row.path = entry.runPath;
  row.identity.uuid = entry.uuid;
  row.identity.created = entry.created;
  row.name = entry.config.value("name", "");
  row.preset = entry.config.value("preset", "");
  row.options = entry.config.value("options", Json::object());
  // A command that writes no run has no folder before it ends.
  row.state = entry.claimed() && entry.script.given() ? RunState::Running : RunState::Queued;
  return row;
}

Json queuedRunJson(const QueueEntry& entry) {
  return runJson(queuedRow(entry));
}

std::string shortRunId(const RunRow& row) {
  const std::string& uuid = row.identity.uuid;
  if (uuid.find('/') == std::string::npos) return uuid.substr(0, 8);
  return std::filesystem::path(uuid).filename().string();
}

Result<GridRecord> findGrid(ProjectLibrary& library, const std::string& word) {
  FATHOM_TRY(const auto grids, library.grids());
  std::vector<std::string> names;
  for (const GridRecord& grid : grids) {
    if (grid.uuid == word || grid.name == word || (word.size() >= 4 && grid.uuid.rfind(word, 0) == 0))
      return grid;
    names.push_back(grid.name);
  }
  const std::string near = nearestSpelling(word, names);
  return unavailableError(Phrase::tr("there is no grid '%1'")(word),
                          near.empty() ? Phrase() : Phrase::tr("did you mean '%1'?")(near));
}

Result<std::vector<RunRow>> findRuns(ProjectLibrary& library, const std::vector<std::string>& words) {
  std::vector<RunRow> rows;
  FATHOM_TRY(const auto index, CurveIndex::open(library.path()));
  RunListing listing(library, index.get());
  for (const std::string& word : words) {
    if (word.starts_with(kGridWord)) {
      FATHOM_CHECK(addRunsOfGrid(library, listing, word.substr(kGridWord.size()), rows));
      continue;
    }
    FATHOM_TRY(RunRow row, listing.find(word));
    rows.push_back(std::move(row));
  }
  return rows;
}

bool endedBadly(const RunRow& row) {
  return endedBadly(row.state, row.cause);
}

RunFacts runFacts(const RunRow& row) {
  RunFacts facts;
  facts.run = row.identity.uuid;
  facts.name = row.name;
  facts.outcome = countedState(row.state, row.cause);
  facts.failed = endedBadly(row);
  facts.open = isOpen(row.state);
  facts.options = row.options;
  facts.last = row.last;
  facts.best = row.best;
  return facts;
}

std::string shownNumber(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string headlineMetric(const RunRow& row) {
  std::vector<std::string> ids;
  for (const auto& [id, value] : row.last) ids.push_back(id);
  return MetricCatalogue(row.identity.metrics).leading(ids);
}

}  // namespace fathom
