// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/json/json.h"

namespace fathom {

// Members of an object that somebody else may have written: what is not there, or has another type, is as if
// it were not said. A value that is no object has no members.
std::string memberText(const Json& object, const char* key, std::string otherwise = {});
std::int64_t memberInteger(const Json& object, const char* key, std::int64_t otherwise = 0);
bool memberFlag(const Json& object, const char* key, bool otherwise);
const Json& memberObject(const Json& object, const char* key);  // {} otherwise
const Json& memberList(const Json& object, const char* key);    // [] otherwise

// A text as it is, anything else as JSON.
std::string asText(const Json& value);

// {"name": value, …}, non-finite ones as jsonReal writes them; what is no number is passed over in reading.
template <typename NamedReals>
Json namedRealsToJson(const NamedReals& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = jsonReal(value);
  return json;
}

}  // namespace fathom
