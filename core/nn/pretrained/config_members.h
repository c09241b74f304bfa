// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// The members of a config.json from elsewhere, read by name; errors name file, member and what is expected. A
// member of another type is never passed over: what transformers would read from it is not known.
class ConfigMembers {
 public:
  ConfigMembers(Json config, std::string file) : m_config(std::move(config)), m_file(std::move(file)) {}

  bool has(const char* key) const { return m_config.contains(key); }
  bool isNull(const char* key) const { return !has(key) || m_config[key].is_null(); }
  Json any(const char* key) const { return m_config.value(key, Json()); }
  const std::string& file() const { return m_file; }

  Error bad(const std::string& key, const Phrase& what) const;
  Result<std::int64_t> count(const char* key) const;  // from 1 to 2^24
  Result<std::string> word(const char* key, const char* otherwise) const;
  Result<double> real(const char* key, double otherwise) const;
  // A flag that has one value alone here; absent or null is that value.
  Status mustBe(const char* key, bool wanted) const;
  // Our word for the activation that `key` names.
  Result<std::string> activation(const char* key, const char* otherwise) const;

 private:
  Json m_config;
  std::string m_file;
};

// config.json of a folder, which must be an object.
Result<ConfigMembers> readConfigMembers(const std::string& folder);

}  // namespace fathom
