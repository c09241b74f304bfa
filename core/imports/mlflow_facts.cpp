// SPDX-License-Identifier: Apache-2.0
#include "core/imports/mlflow_facts.h"

#include <array>
#include <cmath>

#include "core/base/json/json_members.h"
#include "core/imports/python_json.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace {

constexpr std::array<const char*, 6> kStatusWords = {"",         "RUNNING", "SCHEDULED",
                                                     "FINISHED", "FAILED",  "KILLED"};

Json mapToJson(const std::map<std::string, std::string>& values) {
  Json json = Json::object();
  for (const auto& [key, value] : values) json[recordText(key)] = recordText(value);
  return json;
}

std::map<std::string, std::string> mapFromJson(const Json& json) {
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : json.items())
    if (value.is_string()) values[ofRecord(key)] = ofRecord(value.get<std::string>());
  return values;
}

}  // namespace

MlflowStatus mlflowStatus(const std::string& word) {
  for (std::size_t i = 1; i < kStatusWords.size(); ++i)
    if (word == kStatusWords[i] || word == std::to_string(i)) return static_cast<MlflowStatus>(i);
  return MlflowStatus::Unknown;
}

bool MlflowFacts::operator==(const MlflowFacts& other) const {
  const bool sameEnd = end == other.end || (std::isnan(end) && std::isnan(other.end));
  return sameEnd && name == other.name && experiment == other.experiment && status == other.status &&
         deleted == other.deleted && params == other.params && tags == other.tags;
}

Json MlflowFacts::state() const {
  return {{"name", recordText(name)},
          {"experiment", recordText(experiment)},
          {"status", kStatusWords[static_cast<std::size_t>(status)]},
          {"end", jsonReal(end)},
          {"deleted", deleted},
          {"params", mapToJson(params)},
          {"tags", mapToJson(tags)}};
}

void MlflowFacts::restore(const Json& state) {
  name = ofRecord(memberText(state, "name"));
  experiment = ofRecord(memberText(state, "experiment"));
  status = mlflowStatus(memberText(state, "status"));
  end = memberReal(state, "end", kNaN);
  deleted = memberFlag(state, "deleted", false);
  params = mapFromJson(memberObject(state, "params"));
  tags = mapFromJson(memberObject(state, "tags"));
}

}  // namespace fathom
