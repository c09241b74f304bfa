// SPDX-License-Identifier: Apache-2.0
#include "core/imports/record_text.h"

#include "core/base/text/utf8.h"

namespace fathom {

namespace {

// No name that a person gives begins so.
constexpr std::string_view kBytesMark =
    "\x01"
    "bytes:";
constexpr std::string_view kHexDigits = "0123456789abcdef";

}  // namespace

std::string recordText(std::string_view name) {
  if (validUtf8(name) && !name.starts_with(kBytesMark)) return std::string(name);
  std::string text(kBytesMark);
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    text += kHexDigits[byte >> 4u];
    text += kHexDigits[byte & 15u];
  }
  return text;
}

std::string ofRecord(std::string_view text) {
  if (!text.starts_with(kBytesMark)) return std::string(text);
  text.remove_prefix(kBytesMark.size());
  std::string name;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const std::size_t high = kHexDigits.find(text[i]), low = kHexDigits.find(text[i + 1]);
    if (high > 15 || low > 15) break;
    name += static_cast<char>(high * 16 + low);
  }
  return name;
}

Json recordTexts(const std::vector<std::string>& names) {
  Json texts = Json::array();
  for (const std::string& name : names) texts.push_back(recordText(name));
  return texts;
}

std::vector<std::string> ofRecordTexts(const Json& texts) {
  std::vector<std::string> names;
  for (const Json& text : texts) names.push_back(ofRecord(text.get<std::string>()));
  return names;
}

Json recordPairs(const std::map<std::string, std::string>& pairs) {
  Json json = Json::object();
  for (const auto& [name, text] : pairs) json[recordText(name)] = recordText(text);
  return json;
}

std::map<std::string, std::string> ofRecordPairs(const Json& json) {
  std::map<std::string, std::string> pairs;
  for (const auto& [name, text] : json.items())
    if (text.is_string()) pairs[ofRecord(name)] = ofRecord(text.get<std::string>());
  return pairs;
}

}  // namespace fathom
