// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/command.h"
#include "app/commands/run_control_commands.h"
#include "app/runs/config_diff.h"
#include "app/runs/run_control.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/text/text_list.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/attempt_place.h"
#include "core/record/runs/checkpoint_folder.h"

namespace fathom {

namespace {

Json attemptsJson(const RunFolder& folder) {
  Json list = Json::array();
  for (const int number : folder.attempts()) {
    Json item;
    item["attempt"] = number;
    const auto outcome = folder.outcome(number);
    item["outcome"] = outcome ? outcomeToJson(*outcome) : Json();
    if (const auto place = attemptPlace(folder, number))
      item["place"] = {{"id", place->place}, {"job", place->job}, {"host", place->host}, {"end", place->end}};
    list.push_back(std::move(item));
  }
  return list;
}

Result<Json> checkpointsJson(const std::string& path) {
  FATHOM_CHECK(checkpointsCanBeSeen(path));
  Json list = Json::array();
  for (const CheckpointManifest& manifest : listCheckpoints(path)) {
    list.push_back({{"name", manifest.name},
                    {"attempt", manifest.attempt},
                    {"step", manifest.step},
                    {"bytes", manifest.bytes()}});
  }
  return list;
}

Result<Json> predictionsJson(const std::string& path) {
  Json list = Json::array();
  FATHOM_TRY(const auto sets, predictionSets(path));
  for (const PredictionSet& set : sets) {
    list.push_back(set.toJson());
    list.back()["path"] = set.path;
  }
  return list;
}

std::string plainText(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// A sentence in parts, for a window: the sentence itself stands beside it.
bool isPhraseOf(const Json& object, const std::string& key) {
  constexpr std::string_view kPhrase = "_phrase";
  return key.ends_with(kPhrase) && object.contains(key.substr(0, key.size() - kPhrase.size()));
}

// A list in one cell; lists of objects have tables of their own, or stand in JSON alone.
bool isPlainList(const Json& value) {
  return value.is_array() &&
         std::none_of(value.begin(), value.end(), [](const Json& item) { return item.is_structured(); });
}

void addPairs(TextTable& table, const Json& object, const std::string& prefix) {
  for (const auto& [key, value] : object.items()) {
    if (isPhraseOf(object, key)) continue;
    if (value.is_object()) {
      addPairs(table, value, prefix + key + ".");
    } else if (isPlainList(value)) {
      table.addRow({prefix + key, joined(value, ", ", plainText)});
    } else if (!value.is_array()) {
      table.addRow({prefix + key, plainText(value)});
    }
  }
}

// "cluster 17_3, n7", "local process 4711, desk"; "-" where nobody has written it down.
std::string attemptPlaceText(const Json& attempt) {
  const Json& place = memberObject(attempt, "place");
  std::string text = memberText(place, "id", "-");
  if (const std::string job = memberText(place, "job"); !job.empty()) text += " " + job;
  if (const std::string host = memberText(place, "host"); !host.empty()) text += ", " + host;
  if (const std::string end = memberText(place, "end"); !end.empty()) text += ": " + end;
  return text;
}

std::string showText(const Json& json) {
  TextTable table({"what", "value"});
  addPairs(table, json["run"], "");
  std::string text = table.text();
  const Json& all = json["attempts"];
  const bool placed =
      std::any_of(all.begin(), all.end(), [](const Json& item) { return item.contains("place"); });
  const auto row = [placed](std::vector<std::string> cells, const std::string& place) {
    if (placed) cells.insert(cells.begin() + 1, place);
    return cells;
  };
  TextTable attempts(row({"attempt", "state", "updates", "message"}, "place"));
  for (const Json& item : all) {
    const Json& outcome = item["outcome"];
    const std::string number = item["attempt"].dump(), place = attemptPlaceText(item);
    if (outcome.is_null())
      attempts.addRow(row({number, "no outcome yet", "", ""}, place));
    else
      attempts.addRow(row(
          {number, outcome.value("state", ""), outcome["step"].dump(), outcome.value("message", "")}, place));
  }
  text += "\n" + attempts.text();
  TextTable checkpoints({"checkpoint", "step", "bytes"});
  for (const Json& item : json["checkpoints"]) {
    checkpoints.addRow({item.value("name", ""), item["step"].dump(), item["bytes"].dump()});
  }
  if (!json["checkpoints"].empty()) text += "\n" + checkpoints.text();
  TextTable predictions({"predictions", "checkpoint", "made", "file"});
  for (const Json& item : json["predictions"]) {
    const std::string split = item.value("split", "");
    predictions.addRow({split.empty() ? "free input" : split, item.value("checkpoint", ""),
                        item.value("created", ""), item.value("path", "")});
  }
  if (!json["predictions"].empty()) text += "\n" + predictions.text();
  if (json.contains("diff")) text += "\n" + configDiffText(json["diff"]);
  return text;
}

Result<CommandOutput> showRun(const CommandContext& context, Progress&, const StopToken&) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const RunRow row, findRunOrQueued(*library, context.options.text("run")));
  CommandOutput output;
  output.json["run"] = runJson(row, RowParts::All);
  output.json["attempts"] = attemptsJson(RunFolder(row.path));
  FATHOM_TRY(output.json["checkpoints"], checkpointsJson(row.path));
  FATHOM_TRY(output.json["predictions"], predictionsJson(row.path));
  FATHOM_TRY(output.json["bytes"], sizeBelow(row.path));
  if (const std::string other = context.options.text("against"); !other.empty()) {
    FATHOM_TRY(const RunRow second, findRunOrQueued(*library, other));
    output.json["diff"] = configDiff({row, second});
  }
  if (!context.json) output.text = showText(output.json);
  return output;
}

}  // namespace

Command showCommandEntry() {
  return {
      .id = "show",
      .title = "Show run",
      .description = "Tells everything about one run: outcome, attempts, checkpoints, options.",
      .group = "Run",
      .fields = {runField(), textField("against", "Against", "Another run: lists the options that differ.")},
      .required = {"run"},
      .positional = "run",
      .run = showRun};
}

}  // namespace fathom
