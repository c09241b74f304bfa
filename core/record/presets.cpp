// SPDX-License-Identifier: Apache-2.0
#include "core/record/presets.h"

#include "core/base/errors/error_key.h"
#include "core/base/options/entry_table.h"
#include "core/base/text/edit_distance.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

Error unknownPreset(const std::string& id) {
  std::vector<std::string> ids;
  for (const PresetFile& file : presetFiles()) ids.emplace_back(file.id);
  const std::string near = nearestSpelling(id, ids);
  return aboutKey(
      "preset",
      unavailableError(Phrase::tr("there is no preset '%1'")(id),
                       near.empty() ? Phrase::tr("there are: %1")(joined(ids))
                                    : Phrase::tr("did you mean '%1'? 'fathom describe' lists all")(near)));
}

// The options of a base, which has none itself.
Result<Json> optionsOfBase(const std::string& id) {
  for (const PresetFile& file : presetFiles()) {
    if (id != file.id) continue;
    FATHOM_TRY(const Json json, parseJson(file.text, id));
    if (json.contains("base"))
      return dataErrorAt(id, 0, Phrase::tr("the base of a preset has a base itself"));
    return json.at("options");
  }
  return unknownPreset(id);
}

std::vector<Preset> readPresets() {
  std::vector<Preset> all;
  for (const PresetFile& file : presetFiles())
    all.push_back(presetFromJson(parseJson(file.text, file.id).value(), file.id).value());
  return all;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = readPresets();
  return all;
}

Result<Preset> findPreset(const std::string& id) {
  if (const Preset* preset = findEntry(presets(), id)) return *preset;
  return unknownPreset(id);
}

Result<Json> presetOptions(const Json& json, const std::string& file) {
  Json options = Json::object();
  if (const auto base = json.find("base"); base != json.end()) {
    if (!base->is_string()) return dataErrorAt(file, 0, Phrase::tr("\"%1\" is no text")("base"));
    FATHOM_TRY(options, optionsOfBase(base->get<std::string>()));
  }
  const Json own = json.value("options", Json::object());
  if (!own.is_object()) return dataErrorAt(file, 0, Phrase::tr("\"%1\" is no object")("options"));
  options.update(own);
  return options;
}

Result<Preset> presetFromJson(const Json& json, const std::string& file) {
  try {
    if (json.at("format").get<int>() != 1)
      return dataErrorAt(file, 0, Phrase::tr("the preset has an unknown format"));
    Preset preset;
    preset.id = json.at("id").get<std::string>();
    preset.title = json.at("title").get<std::string>();
    preset.description = json.at("description").get<std::string>();
    preset.reference = json.value("reference", "");
    preset.whatThePaperDid = json.value("what_the_paper_did", "");
    FATHOM_TRY(preset.options, presetOptions(json, file));
    preset.vocabulary = json.value("vocabulary", std::int64_t{0});
    preset.madeData = json.value("made_data", false);
    preset.minutes = json.value("minutes", 0.0);
    preset.timed = json.value("timed", true);
    preset.grid = json.value("grid", Json());
    return preset;
  } catch (const nlohmann::json::exception& e) {
    return dataErrorAt(file, 0, Phrase::tr("the preset is malformed: %1")(e.what()));
  }
}

}  // namespace fathom
