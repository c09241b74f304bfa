// SPDX-License-Identifier: Apache-2.0
// Rows of run_listing.h as the index and `fathom runs --json` keep them.
#include <map>
#include <string>

#include "core/base/json/json_members.h"
#include "core/base/json/phrase_json.h"
#include "core/library/runs/run_listing.h"

namespace fathom {

namespace {

std::map<std::string, double> realsFromJson(const Json& json) {
  std::map<std::string, double> values;
  for (const auto& [name, value] : json.items()) {
    if (const auto real = realFromJson(value); real.ok()) values[name] = *real;
  }
  return values;
}

}  // namespace

// Member by member: ten thousand rows are listed at once, and a list in braces copies all of it twice.
Json runRowToJson(const RunRow& row, RowParts parts) {
  Json json = Json::object();
  json["uuid"] = row.identity.uuid;
  json["name"] = row.name.empty() ? row.identity.name : row.name;
  json["created"] = row.identity.created;
  if (parts == RowParts::All) json["provenance"] = row.identity.provenance;
  json["state"] = runStateName(row.state);
  json["cause"] = row.cause;
  writePhrase(json, "message", row.message);
  json["details"] = row.details;
  json["attempts"] = row.attempts;
  json["step"] = row.step;
  json["total_updates"] = row.totalUpdates;
  json["elapsed"] = row.elapsed;
  if (row.finishedAt.empty() && !row.phase.name.empty()) {
    json["phase"] = {{"name", row.phase.name},
                     {"unit", row.phase.unit},
                     {"done", row.phase.done},
                     {"total", row.phase.total}};
    json["remaining"] = row.remaining < 0 ? Json() : Json(row.remaining);
  }
  if (row.silentMinutes > 0) json["silent_minutes"] = row.silentMinutes;
  json["finished_at"] = row.finishedAt;
  json["last"] = namedRealsToJson(row.last);
  json["best"] = namedRealsToJson(row.best);
  json["best_step"] = row.bestStep;
  json["preset"] = row.preset;
  if (parts == RowParts::All) json["options"] = row.options;
  if (!row.identity.metrics.empty()) json["metrics"] = metricsToJson(row.identity.metrics);
  return json;
}

RunRow runRowFromJson(const Json& json) {
  RunRow row;
  row.identity.uuid = json.value("uuid", std::string());
  row.identity.name = row.name = json.value("name", std::string());
  row.identity.created = json.value("created", std::string());
  row.identity.provenance = json.value("provenance", Json::object());
  row.identity.metrics = metricsFromJson(json.value("metrics", Json::array()));
  row.state = runStateFromName(json.value("state", std::string())).value_or(RunState::Lost);
  row.cause = json.value("cause", std::string());
  row.message = readPhrase(json, "message");
  row.details = json.value("details", Json::object());
  row.attempts = json.value("attempts", 0);
  row.step = json.value("step", std::int64_t{0});
  row.totalUpdates = json.value("total_updates", std::int64_t{-1});
  row.elapsed = json.value("elapsed", 0.0);
  row.finishedAt = json.value("finished_at", std::string());
  if (const Json phase = memberObject(json, "phase"); !phase.empty()) {
    row.phase = {phase.value("name", std::string()), phase.value("unit", std::string()),
                 phase.value("done", 0.0), phase.value("total", -1.0)};
    if (const auto left = json.find("remaining"); left != json.end() && left->is_number())
      row.remaining = left->get<double>();
  }
  row.last = realsFromJson(memberObject(json, "last"));
  row.best = realsFromJson(memberObject(json, "best"));
  const Json bestStep = json.value("best_step", Json::object());
  for (const auto& [name, step] : bestStep.items())
    if (step.is_number_integer()) row.bestStep[name] = step.get<std::int64_t>();
  row.preset = json.value("preset", std::string());
  row.options = json.value("options", Json::object());
  return row;
}

}  // namespace fathom
