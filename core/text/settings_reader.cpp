// SPDX-License-Identifier: Apache-2.0
#include "core/text/settings_reader.h"

#include <utility>

namespace fathom {

SettingsReader::SettingsReader(const Json& object, std::string file, std::string path,
                               std::vector<std::string>& unknown)
    : m_object(object), m_file(std::move(file)), m_path(std::move(path)), m_unknown(unknown) {
  if (m_object.is_object()) return;
  if (m_path.empty()) throw Failure(dataErrorAt(m_file, 0, Phrase::tr("is not a JSON object")));
  throw Failure(
      dataErrorAt(m_file, 0, Phrase::tr("member '%1' %2")(m_path, Phrase::tr("must be an object"))));
}

std::string SettingsReader::path(const std::string& key) const {
  return m_path.empty() ? key : m_path + "." + key;
}

void SettingsReader::wrong(const std::string& key, const Phrase& what) const {
  throw Failure(dataErrorAt(m_file, 0, Phrase::tr("member '%1' %2")(path(key), what)));
}

void SettingsReader::refuse(const std::string& key) const {
  constexpr std::size_t kShown = 80;
  const auto found = m_object.find(key);
  const std::string value = found == m_object.end() ? "null" : found->dump().substr(0, kShown);
  throw Failure(dataErrorAt(
      m_file, 0,
      Phrase::tr("member '%1' is %2, which is not read: the pieces would be others")(path(key), value),
      Phrase::tr("use an encoder with another tokenizer, or cut the texts yourself")));
}

const Json* SettingsReader::find(const char* key) {
  m_asked.insert(key);
  const auto found = m_object.find(key);
  return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

bool SettingsReader::has(const char* key) {
  return find(key) != nullptr;
}

std::optional<bool> SettingsReader::optionalFlag(const char* key) {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) wrong(key, Phrase::tr("must be true or false"));
  return value->get<bool>();
}

bool SettingsReader::flag(const char* key, bool otherwise) {
  return optionalFlag(key).value_or(otherwise);
}

std::optional<std::string> SettingsReader::optionalText(const char* key) {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) wrong(key, Phrase::tr("must be a text"));
  return value->get<std::string>();
}

std::string SettingsReader::text(const char* key, const std::string& otherwise) {
  return optionalText(key).value_or(otherwise);
}

std::int64_t SettingsReader::integer(const char* key, std::int64_t otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_number_integer()) wrong(key, Phrase::tr("must be a whole number"));
  return value->get<std::int64_t>();
}

const Json& SettingsReader::list(const char* key) {
  static const Json none = Json::array();
  const Json* value = find(key);
  if (value == nullptr) return none;
  if (!value->is_array()) wrong(key, Phrase::tr("must be a list"));
  return *value;
}

const Json& SettingsReader::object(const char* key) {
  static const Json none = Json::object();
  const Json* value = find(key);
  if (value == nullptr) return none;
  if (!value->is_object()) wrong(key, Phrase::tr("must be an object"));
  return *value;
}

const Json& SettingsReader::any(const char* key) {
  static const Json none;
  const Json* value = find(key);
  return value == nullptr ? none : *value;
}

SettingsReader SettingsReader::inside(const char* key) {
  return SettingsReader(object(key), m_file, path(key), m_unknown);
}

void SettingsReader::passOver(std::initializer_list<const char*> keys) {
  for (const char* key : keys) m_asked.insert(key);
}

void SettingsReader::rest() {
  for (const auto& [key, value] : m_object.items())
    if (!m_asked.contains(key)) m_unknown.push_back(path(key));
}

}  // namespace fathom
