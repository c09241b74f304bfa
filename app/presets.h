// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace fathom {

// A data file resources/presets/<id>.json: {"format":1, "id", "title", "description", "reference",
// "what_the_paper_did", "options": {key: value}}. Texts are English; the window shows them translated
// (context "Engine").
struct Preset {
  std::string id;
  std::string title;
  std::string description;
  std::string reference;  // "Admin App. A.2", "" if none
  std::string whatThePaperDid;
  Json options = Json::object();
};

// Those of the program's resources, sorted by id; a damaged one is an internal error of the build and thrown
// as Failure. Immutable after the first call; any thread.
const std::vector<Preset>& presets();
// Usage error with the nearest id.
Result<Preset> findPreset(const std::string& id);
Result<Preset> presetFromJson(const Json& json, const std::string& file);

}  // namespace fathom
