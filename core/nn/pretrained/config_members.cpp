// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/config_members.h"

namespace fathom {

Error ConfigMembers::bad(const std::string& key, const Phrase& what) const {
  return dataErrorAt(m_file, 0, Phrase::tr("member '%1' %2")(key, what),
                     Phrase::tr("a config.json of BERT, RoBERTa or GPT-2 is expected"));
}

Result<std::int64_t> ConfigMembers::count(const char* key) const {
  const auto found = m_config.find(key);
  if (found == m_config.end() || !found->is_number_integer() || found->get<std::int64_t>() < 1 ||
      found->get<std::int64_t>() > (std::int64_t{1} << 24))
    return bad(key, Phrase::tr("must be a whole number from 1 to 16777216"));
  return found->get<std::int64_t>();
}

Result<std::string> ConfigMembers::word(const char* key, const char* otherwise) const {
  const auto found = m_config.find(key);
  if (found == m_config.end()) return std::string(otherwise);
  if (!found->is_string()) return bad(key, Phrase::tr("must be a text"));
  return found->get<std::string>();
}

Result<double> ConfigMembers::real(const char* key, double otherwise) const {
  const auto found = m_config.find(key);
  if (found == m_config.end()) return otherwise;
  if (!found->is_number()) return bad(key, Phrase::tr("must be a number"));
  return found->get<double>();
}

Status ConfigMembers::mustBe(const char* key, bool wanted) const {
  if (isNull(key)) return {};
  if (!m_config[key].is_boolean()) return bad(key, Phrase::tr("must be true or false"));
  if (m_config[key].get<bool>() == wanted) return {};
  return bad(key, wanted ? Phrase::tr("must be true") : Phrase::tr("must be false"));
}

Result<std::string> ConfigMembers::activation(const char* key, const char* otherwise) const {
  FATHOM_TRY(const std::string name, word(key, otherwise));
  if (name == "gelu") return std::string("gelu_erf");
  if (name == "gelu_new" || name == "gelu_pytorch_tanh") return std::string("gelu_tanh");
  if (name == "relu") return name;
  return bad(key, Phrase::tr("is '%1'; known are gelu, gelu_new, gelu_pytorch_tanh and relu")(name));
}

Result<ConfigMembers> readConfigMembers(const std::string& folder) {
  const std::string file = folder + "/config.json";
  FATHOM_TRY(Json config, readJsonFile(file));
  if (!config.is_object()) return dataErrorAt(file, 0, Phrase::tr("is not a JSON object"));
  return ConfigMembers(std::move(config), file);
}

}  // namespace fathom
