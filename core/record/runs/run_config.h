// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

inline constexpr int kConfigFormat = 1;

// config.json and preset files: {"format":1, "name":…, "preset":…, "options":{key:value}}. Unknown members
// beside these are errors in new input.
struct RunConfig {
  std::string name;    // the run's name, may be empty
  std::string preset;  // id of the preset it started from, may be empty
  Json options = Json::object();
};
Result<RunConfig> readRunConfig(const std::string& path);
Result<RunConfig> runConfigFromJson(Json json, const std::string& file);
Json runConfigToJson(const RunConfig& config);

}  // namespace fathom
