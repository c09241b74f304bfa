// SPDX-License-Identifier: Apache-2.0
#include "core/library/run_listing.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/edit_distance.h"
#include "core/base/path_facts.h"
#include "core/library/curve_index.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

Json realsToJson(const std::map<std::string, double>& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = jsonReal(value);
  return json;
}

std::map<std::string, double> realsFromJson(const Json& json) {
  std::map<std::string, double> values;
  for (const auto& [name, value] : json.items()) {
    if (const auto real = realFromJson(value); real.ok()) values[name] = *real;
  }
  return values;
}

std::vector<std::string> runFolders(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code code, unknown;
  for (const auto& entry : listFolder(folder, code)) {
    if (entry.path().filename().string().starts_with('.')) continue;  // an import under way
    // What cannot be looked at is shown as lost; it may well be a run.
    if (fs::exists(entry.path() / "run.json", unknown) || unknown) paths.push_back(entry.path().string());
  }
  return paths;
}

void joinNotes(RunRow& row, const RunNotes& notes) {
  row.notes = notes;
  row.name = notes.name;
  if (row.name.empty()) row.name = row.identity.name;
  if (row.name.empty()) row.name = fs::path(row.path).lexically_normal().filename().string();
}

}  // namespace

bool largerIsBetter(const std::string& metric) {
  for (const char* word : {"bleu", "acc", "exact", "match", "f1", "em", "precision", "recall", "score"}) {
    const std::size_t at = metric.find(word);
    // A whole word or the beginning of one: "em" is not in "member".
    if (at != std::string::npos && (at == 0 || metric[at - 1] == '.' || metric[at - 1] == '_') &&
        (std::string_view(word).size() > 2 || at + 2 == metric.size()))
      return true;
  }
  return false;
}

Json runRowToJson(const RunRow& row) {
  return {{"uuid", row.identity.uuid},
          {"name", row.name.empty() ? row.identity.name : row.name},
          {"created", row.identity.created},
          {"provenance", row.identity.provenance},
          {"state", runStateName(row.state)},
          {"cause", row.cause},
          {"message", row.message},
          {"details", row.details},
          {"attempts", row.attempts},
          {"step", row.step},
          {"total_updates", row.totalUpdates},
          {"elapsed", row.elapsed},
          {"finished_at", row.finishedAt},
          {"last", realsToJson(row.last)},
          {"best", realsToJson(row.best)},
          {"best_step", row.bestStep},
          {"preset", row.preset},
          {"options", row.options}};
}

RunRow runRowFromJson(const Json& json) {
  RunRow row;
  row.identity.uuid = json.value("uuid", std::string());
  row.identity.name = row.name = json.value("name", std::string());
  row.identity.created = json.value("created", std::string());
  row.identity.provenance = json.value("provenance", Json::object());
  row.state = runStateFromName(json.value("state", std::string())).value_or(RunState::Lost);
  row.cause = json.value("cause", std::string());
  row.message = json.value("message", std::string());
  row.details = json.value("details", Json::object());
  row.attempts = json.value("attempts", 0);
  row.step = json.value("step", std::int64_t{0});
  row.totalUpdates = json.value("total_updates", std::int64_t{-1});
  row.elapsed = json.value("elapsed", 0.0);
  row.finishedAt = json.value("finished_at", std::string());
  row.last = realsFromJson(json.value("last", Json::object()));
  row.best = realsFromJson(json.value("best", Json::object()));
  const Json bestStep = json.value("best_step", Json::object());
  for (const auto& [name, step] : bestStep.items())
    if (step.is_number_integer()) row.bestStep[name] = step.get<std::int64_t>();
  row.preset = json.value("preset", std::string());
  row.options = json.value("options", Json::object());
  return row;
}

RunRow RunListing::rowOf(const std::string& runPath) {
  const RunFolder run(runPath);
  const std::string stamp = runStamp(run);
  auto& [knownStamp, known] = m_known[runPath];
  if (knownStamp != stamp) {
    auto read = m_index != nullptr ? m_index->row(runPath) : readRunRow(runPath);
    if (read.ok()) {
      known = std::move(*read);
    } else {
      known = {};
      known.identity.uuid = runPath;
      known.message = read.error().text();
      known.state = RunState::Lost;
    }
    known.path = runPath;
    knownStamp = stamp;
  }
  // The state of a run that has not ended depends on its lock, too.
  if (known.finishedAt.empty() && known.identity.uuid != runPath) known.state = run.state();
  return known;
}

Result<std::vector<RunRow>> RunListing::rows() {
  FATHOM_TRY(const auto notes, m_library.allRunNotes());
  FATHOM_TRY(const auto linked, m_library.linkedRuns());
  std::vector<std::string> paths = runFolders(m_library.runsPath());
  paths.insert(paths.end(), linked.begin(), linked.end());
  std::vector<RunRow> rows;
  rows.reserve(paths.size());
  for (const std::string& path : paths) {
    RunRow row = rowOf(path);
    const auto found = notes.find(row.identity.uuid);
    joinNotes(row, found == notes.end() ? RunNotes() : found->second);
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [](const RunRow& a, const RunRow& b) {
    return std::tie(a.identity.created, a.path) < std::tie(b.identity.created, b.path);
  });
  return rows;
}

Result<std::vector<RunRow>> listRuns(ProjectLibrary& library) {
  return RunListing(library).rows();
}

Result<RunRow> findRun(ProjectLibrary& library, const std::string& wanted) {
  FATHOM_TRY(const auto rows, listRuns(library));
  std::error_code code;
  const std::string path = fs::weakly_canonical(wanted, code).string();
  std::vector<const RunRow*> found;
  std::vector<std::string> names;
  for (const RunRow& row : rows) {
    names.push_back(row.name);
    if (row.identity.uuid == wanted || fs::weakly_canonical(row.path, code).string() == path) return row;
    const bool prefix = wanted.size() >= 4 && row.identity.uuid.starts_with(wanted);
    if (prefix || row.name == wanted || fs::path(row.path).filename().string() == wanted)
      found.push_back(&row);
  }
  if (found.size() == 1) return *found.front();
  if (found.empty()) {
    const std::string near = nearestSpelling(wanted, names);
    return usageError("there is no run \"" + wanted + "\" in " + library.path(),
                      near.empty() ? "see `fathom runs`" : "did you mean \"" + near + "\"?");
  }
  std::string all;
  for (const RunRow* row : found)
    all += (all.empty() ? "" : ", ") + row->identity.uuid + " (" + row->name + ")";
  return usageError("\"" + wanted + "\" fits " + std::to_string(found.size()) + " runs: " + all,
                    "give more of the id");
}

}  // namespace fathom
