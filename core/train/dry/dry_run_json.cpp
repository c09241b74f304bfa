// SPDX-License-Identifier: Apache-2.0
#include "core/base/json/phrase_json.h"
#include "core/train/dry/dry_run.h"

namespace fathom {

namespace {

Json secondsJson(const std::optional<double>& seconds) {
  return seconds ? jsonReal(*seconds) : Json();
}
Json countJson(std::int64_t count) {
  return count < 0 ? Json() : Json(count);
}

}  // namespace

Json dryRunToJson(const DryRun& run) {
  Json json = {{"format", 1}};
  json["parameters"] = {{"total", run.parameters.total},
                        {"embeddings", run.parameters.embeddings},
                        {"encoder", run.parameters.encoder},
                        {"decoder", run.parameters.decoder},
                        {"extra", run.parameters.extra}};
  json["device"] = run.device;
  json["memory"] = {{"needed", run.memory.total()},
                    {"program", run.memory.program},
                    {"weights", run.memory.weights},
                    {"gradients", run.memory.gradients},
                    {"optimiser", run.memory.optimiser},
                    {"activations", run.memoryKnown ? Json(run.memory.activations) : Json()},
                    {"free", run.room ? Json(run.room->free) : Json()},
                    {"total", run.room ? Json(run.room->total) : Json()},
                    {"fits", run.memoryFits()}};
  json["batch"] = {{"tokens", jsonReal(run.batchTokens)},
                   {"rows", run.batchRows > 0 ? Json(run.batchRows) : Json()}};
  json["time"] = {{"update", secondsJson(run.updateSeconds)},
                  {"total", secondsJson(run.totalSeconds)},
                  {"validation", secondsJson(run.validationSeconds)},
                  {"score", secondsJson(run.scoreSeconds)},
                  {"data", secondsJson(run.dataSeconds)},
                  {"prepare", secondsJson(run.prepareSeconds)},
                  {"updates", countJson(run.updates)},
                  {"validations", countJson(run.validations)},
                  {"scores", countJson(run.scores)},
                  {"timed_updates", run.timedUpdates}};
  json["disk"] = {{"needed", run.diskBytes()},
                  {"checkpoint", run.checkpointBytes},
                  {"checkpoints", run.checkpoints},
                  {"free", run.diskFree ? Json(*run.diskFree) : Json()},
                  {"fits", run.diskFits()}};
  json["own_data"] = run.ownData;
  json["fits"] = run.memoryFits() && run.diskFits();
  json["remedies"] = Json::array();
  for (const MemoryRemedy& remedy : run.remedies) {
    Json one = {{"options", Json::object()}};
    for (const auto& [key, value] : remedy.options) one["options"][key] = value;
    writePhrase(one, "words", remedy.words);
    json["remedies"].push_back(std::move(one));
  }
  if (const Status fits = checkFits(run); !fits.ok()) {
    writePhrase(json, "refusal", fits.error().phrase());
    json["refusal_key"] = fits.error().key;
  }
  writePhrases(json, "notes", run.notes);
  return json;
}

}  // namespace fathom
