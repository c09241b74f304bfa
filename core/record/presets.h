// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// A data file resources/presets/<id>.json: {"format":1, "id", "title", "description", "reference",
// "what_the_paper_did", "options": {key: value}} and, where they say something, "base" (the id of a preset
// whose options come first), "vocabulary", "made_data", "minutes", "timed" and "grid". Texts are English; the
// window shows them translated (context "Engine"). Both programs carry all of them.
struct Preset {
  std::string id;
  std::string title;
  std::string description;
  std::string reference;  // "Admin App. A.2", "" if none
  std::string whatThePaperDid;
  Json options = Json::object();  // those of its base among them
  std::int64_t vocabulary = 0;    // pieces of the encoder that it is made for; 0: not said
  bool madeData = false;          // trained on data that the task makes, unless files are named
  double minutes = 0;             // on two cores, of all runs of a grid; 0: not a matter of minutes there
  bool timed = true;              // they were measured, not worked out by the size of the model
  Json grid;  // null, or what it varies (core/analysis/training/grid_preset.h): then it describes many runs
};

// Sorted by id; a damaged one is an internal error of the build and thrown as Failure. Immutable after the
// first call; any thread.
const std::vector<Preset>& presets();
// Usage error with the nearest id.
Result<Preset> findPreset(const std::string& id);
// `file` names it in errors.
Result<Preset> presetFromJson(const Json& json, const std::string& file);
// Options of the preset's base with its own on top of them; none where it has none.
Result<Json> presetOptions(const Json& json, const std::string& file);

// The files as the build found them (core/record/CMakeLists.txt).
struct PresetFile {
  const char* id;
  const char* text;
};
std::span<const PresetFile> presetFiles();

}  // namespace fathom
