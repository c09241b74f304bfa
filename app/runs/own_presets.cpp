// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/own_presets.h"

#include <QStandardPaths>
#include <algorithm>
#include <cctype>

#include "core/base/errors/error_words.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"

namespace fathom {

namespace {

constexpr const char* kPrefix = "mine_";
constexpr std::size_t kMostOwnPresets = 500, kMostPresetBytes = std::size_t{1} << 20, kLongestId = 48;

// "Admin, 24 layers" -> "mine_admin_24_layers"; a hash where nothing of it is left (Chinese).
std::string idOf(const std::string& title) {
  std::string id;
  for (const char c : title) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) != 0) {
      id += static_cast<char>(std::tolower(byte));
    } else if (!id.empty() && id.back() != '_') {
      id += '_';
    }
  }
  while (!id.empty() && id.back() == '_') id.pop_back();
  const bool all = std::all_of(title.begin(), title.end(), [](char c) { return (c & 0x80) == 0; });
  if (id.size() > kLongestId || id.empty() || !all) {
    id.resize(std::min(id.size(), kLongestId));
    id += (id.empty() ? "" : "_") + sha256Hex(title).substr(0, 8);
  }
  return kPrefix + id;
}

bool isOurs(const std::string& id) {
  return findPreset(id).ok();
}

}  // namespace

std::string ownPresetFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation).toStdString() +
         "/fathom/presets";
}

Result<std::vector<Preset>> ownPresets() {
  std::vector<Preset> found;
  FATHOM_TRY(const auto entries, entriesIn(ownPresetFolder()));
  for (const auto& entry : entries) {
    if (found.size() >= kMostOwnPresets) break;
    if (entry.path().extension() != ".json" || fileBytes(entry.path().string()) > kMostPresetBytes) continue;
    const auto json = readJsonFile(entry.path().string());
    if (!json.ok()) continue;
    auto preset = presetFromJson(*json, entry.path().string());
    if (preset.ok() && !isOurs(preset->id)) found.push_back(std::move(*preset));
  }
  std::sort(found.begin(), found.end(), [](const Preset& a, const Preset& b) { return a.title < b.title; });
  return found;
}

Result<Preset> findAnyPreset(const std::string& id) {
  auto preset = findPreset(id);
  if (preset.ok()) return preset;
  FATHOM_TRY(auto own, ownPresets());
  for (Preset& candidate : own)
    if (candidate.id == id) return std::move(candidate);
  return preset;
}

Result<Preset> saveOwnPreset(const std::string& title, const std::string& madeFrom,
                             const OptionValues& values) {
  if (title.empty()) return usageError(Phrase::tr("a preset needs a name"));
  Json options = values.minimal();
  for (const OptionField& field : values.schema().fields())
    if (field.type == OptionType::Path) options.erase(field.key);
  for (const char* key : {"device", "threads"}) options.erase(key);
  const Json json = {{"format", 1},           {"id", idOf(title)}, {"title", title},
                     {"description", ""},     {"reference", ""},   {"what_the_paper_did", ""},
                     {"made_from", madeFrom}, {"options", options}};
  const std::string file = ownPresetFolder() + "/" + json["id"].get<std::string>() + ".json";
  FATHOM_TRY(Preset preset, presetFromJson(json, file));
  FATHOM_CHECK(makeFolders(ownPresetFolder()));
  FATHOM_CHECK(writeFileAtomically(file, json.dump(2) + "\n"));
  return preset;
}

}  // namespace fathom
