// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// Members of a JSON object that another program wrote, asked for one by one: a member of another type than it
// has to have throws a Failure (data) that names file and member, null counts as absent. What nobody asked
// for is listed by rest().
class SettingsReader {
 public:
  // `path`: the place of the object in its file, "model" or empty. Object and list of the unknown outlive it.
  SettingsReader(const Json& object, std::string file, std::string path, std::vector<std::string>& unknown);

  bool has(const char* key);  // there, and not null
  bool flag(const char* key, bool otherwise);
  std::optional<bool> optionalFlag(const char* key);
  std::string text(const char* key, const std::string& otherwise);
  std::optional<std::string> optionalText(const char* key);
  std::int64_t integer(const char* key, std::int64_t otherwise);
  const Json& list(const char* key);    // [] where it is absent
  const Json& object(const char* key);  // {} where it is absent
  const Json& any(const char* key);     // null where it is absent
  SettingsReader inside(const char* key);
  // Members that are known and change nothing.
  void passOver(std::initializer_list<const char*> keys);
  // Adds what was not asked for to the unknown.
  void rest();

  // Failures (data) that name file and member.
  [[noreturn]] void wrong(const std::string& key, const Phrase& what) const;
  // A value that is understood and not read: pieces would be others.
  [[noreturn]] void refuse(const std::string& key) const;
  const std::string& file() const { return m_file; }
  std::string path(const std::string& key) const;

 private:
  const Json* find(const char* key);
  const Json& m_object;
  std::string m_file, m_path;
  std::vector<std::string>& m_unknown;
  std::set<std::string> m_asked;
};

}  // namespace fathom
