// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_json.h"

#include <cstdio>

namespace fathom {

Json runJson(const RunRow& row, bool withOptions) {
  Json json = runRowToJson(row);
  if (!withOptions) {
    json.erase("options");
    json.erase("provenance");
  }
  json["path"] = row.path;
  json["tags"] = row.notes.tags;
  json["notes"] = row.notes.notes;
  json["colour"] = row.notes.colour;
  json["starred"] = row.notes.starred;
  return json;
}

Json queuedRunJson(const QueueEntry& entry) {
  RunRow row;
  row.path = entry.runPath;
  row.identity.uuid = entry.uuid;
  row.identity.created = entry.created;
  row.name = entry.config.value("name", "");
  row.preset = entry.config.value("preset", "");
  row.state = RunState::Queued;
  return runJson(row);
}

Result<std::vector<RunRow>> findRuns(ProjectLibrary& library, const std::vector<std::string>& words) {
  std::vector<RunRow> rows;
  for (const std::string& word : words) {
    FATHOM_TRY(RunRow row, findRun(library, word));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string shownNumber(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string headlineMetric(const RunRow& row) {
  for (const char* metric : {"valid.bleu", "valid.nll", "loss"}) {
    if (row.last.count(metric)) return metric;
  }
  return row.last.empty() ? "" : row.last.begin()->first;
}

}  // namespace fathom
