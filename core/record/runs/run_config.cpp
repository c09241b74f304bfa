// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/run_config.h"

#include <utility>

#include "core/base/errors/error_key.h"
#include "core/base/text/edit_distance.h"
#include "core/base/text/shown_value.h"

namespace fathom {

namespace {

Result<std::string> textMember(const Json& value, const std::string& key, const std::string& file) {
  if (value.is_string()) return value.get<std::string>();
  return aboutKey(
      key,
      dataErrorAt(file, 0, Phrase::tr("\"%1\" must be a text, found %2")(key, shownValue(value.dump()))));
}

Status checkFormat(const Json& value, const std::string& file) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 1) {
    return dataErrorAt(
        file, 0, Phrase::tr("\"format\" must be a positive integer, found %1")(shownValue(value.dump())));
  }
  if (value.get<std::int64_t>() > kConfigFormat) {
    return dataErrorAt(file, 0,
                       Phrase::tr("the configuration has format %1; this program reads format %2")(
                           value.dump(), kConfigFormat),
                       Phrase::tr("open it with a newer Fathom"));
  }
  return {};
}

}  // namespace

Result<RunConfig> runConfigFromJson(Json json, const std::string& file) {
  if (!json.is_object()) return dataErrorAt(file, 0, Phrase::tr("a configuration must be a JSON object"));
  RunConfig config;
  if (!json.contains("format")) {
    return dataErrorAt(file, 0, Phrase::tr("the configuration has no \"format\""),
                       Phrase::tr("add \"format\": %1")(kConfigFormat));
  }
  for (auto& [key, value] : json.items()) {
    if (key == "format") {
      FATHOM_CHECK(checkFormat(value, file));
    } else if (key == "name") {
      FATHOM_TRY(config.name, textMember(value, key, file));
    } else if (key == "preset") {
      FATHOM_TRY(config.preset, textMember(value, key, file));
    } else if (key == "options") {
      if (!value.is_object())
        return dataErrorAt(file, 0, Phrase::tr("\"options\" must be an object of key: value"));
      config.options = std::move(value);
    } else {
      const std::string near = nearestSpelling(key, {"format", "name", "preset", "options"});
      return aboutKey(key, dataErrorAt(file, 0, Phrase::tr("unknown member \"%1\"")(key),
                                       near.empty() ? Phrase::tr("options belong inside \"options\"")
                                                    : Phrase::tr("did you mean \"%1\"?")(near)));
    }
  }
  return config;
}

Result<RunConfig> readRunConfig(const std::string& path) {
  FATHOM_TRY(Json json, readJsonFile(path));
  return runConfigFromJson(std::move(json), path);
}

Json runConfigToJson(const RunConfig& config) {
  Json json = Json::object();
  json["format"] = kConfigFormat;
  if (!config.name.empty()) json["name"] = config.name;
  if (!config.preset.empty()) json["preset"] = config.preset;
  json["options"] = config.options;
  return json;
}

}  // namespace fathom
