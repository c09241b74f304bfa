// SPDX-License-Identifier: Apache-2.0
#include "core/base/json/json_members.h"

#include <utility>

namespace fathom {

namespace {

// Null where there is none of the type.
const Json* member(const Json& object, const char* key, bool (Json::*type)() const noexcept) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && ((*found).*type)() ? &*found : nullptr;
}

}  // namespace

std::string memberText(const Json& object, const char* key, std::string otherwise) {
  const Json* text = member(object, key, &Json::is_string);
  return text != nullptr ? text->get<std::string>() : std::move(otherwise);
}

std::int64_t memberInteger(const Json& object, const char* key, std::int64_t otherwise) {
  const Json* number = member(object, key, &Json::is_number_integer);
  return number != nullptr ? number->get<std::int64_t>() : otherwise;
}

bool memberFlag(const Json& object, const char* key, bool otherwise) {
  const Json* flag = member(object, key, &Json::is_boolean);
  return flag != nullptr ? flag->get<bool>() : otherwise;
}

const Json& memberObject(const Json& object, const char* key) {
  static const Json none = Json::object();
  const Json* inner = member(object, key, &Json::is_object);
  return inner != nullptr ? *inner : none;
}

const Json& memberList(const Json& object, const char* key) {
  static const Json none = Json::array();
  const Json* list = member(object, key, &Json::is_array);
  return list != nullptr ? *list : none;
}

std::string asText(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace fathom
