// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// Members of a foreign record. Errors name where the record stands and the member.
class RecordFields {
 public:
  RecordFields(const Json& json, std::string place) : m_json(json), m_place(std::move(place)) {}
  Result<std::string> text(const char* name) const;
  Result<std::vector<std::string>> texts(const char* name) const;
  Result<Json> list(const char* name) const;
  bool has(const char* name) const { return m_json.is_object() && m_json.contains(name); }
  Error wrong(const char* name, const Phrase& why) const;

 private:
  const Json& m_json;
  std::string m_place;
};

}  // namespace fathom
