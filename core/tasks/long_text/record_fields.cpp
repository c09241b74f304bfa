// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/record_fields.h"

namespace fathom {

Error RecordFields::wrong(const char* name, const Phrase& why) const {
  return dataError(Phrase::tr("%1: '%2': %3")(m_place, std::string(name), why));
}

Result<std::string> RecordFields::text(const char* name) const {
  if (!has(name)) return wrong(name, Phrase::tr("is missing"));
  const Json& value = m_json.at(name);
  if (!value.is_string()) return wrong(name, Phrase::tr("is not a text"));
  return value.get<std::string>();
}

Result<Json> RecordFields::list(const char* name) const {
  if (!has(name)) return wrong(name, Phrase::tr("is missing"));
  if (!m_json.at(name).is_array()) return wrong(name, Phrase::tr("is not a list"));
  return m_json.at(name);
}

Result<std::vector<std::string>> RecordFields::texts(const char* name) const {
  FATHOM_TRY(const Json all, list(name));
  std::vector<std::string> texts;
  for (const Json& one : all) {
    if (!one.is_string()) return wrong(name, Phrase::tr("is not a list of texts"));
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

}  // namespace fathom
