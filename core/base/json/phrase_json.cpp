// SPDX-License-Identifier: Apache-2.0
#include "core/base/json/phrase_json.h"

#include "core/base/json/json_members.h"
#include "core/base/text/well_formed.h"

namespace fathom {

Json phraseToJson(const Phrase& phrase) {
  if (phrase.empty()) return nullptr;
  if (phrase.verbatim && phrase.parts.empty()) return wellFormedUtf8(phrase.text);
  Json json = {{phrase.verbatim ? "verbatim" : "text", wellFormedUtf8(phrase.text)},
               {"values", Json::array()}};
  for (const Phrase& part : phrase.parts) json["values"].push_back(phraseToJson(part));
  return json;
}

Phrase phraseFromJson(const Json& json) {
  if (json.is_string()) return Phrase::words(json.get<std::string>());
  if (!json.is_object()) return {};
  const bool verbatim = json.contains("verbatim");
  const auto text = json.find(verbatim ? "verbatim" : "text");
  const auto values = json.find("values");
  if (text == json.end() || !text->is_string() || values == json.end() || !values->is_array()) return {};
  Phrase phrase = Phrase::known(text->get<std::string>());
  phrase.verbatim = verbatim;
  for (const Json& value : *values) phrase.parts.push_back(phraseFromJson(value));
  return phrase;
}

void writePhrase(Json& object, const std::string& key, const Phrase& phrase) {
  object[key] = wellFormedUtf8(phrase.english());
  if (!phrase.verbatim || !phrase.parts.empty()) object[key + "_phrase"] = phraseToJson(phrase);
}

Phrase readPhrase(const Json& object, const std::string& key) {
  if (!object.is_object()) return {};
  const auto parts = object.find(key + "_phrase");
  const std::string english = memberText(object, key.c_str());
  Phrase phrase = parts == object.end() ? Phrase() : phraseFromJson(*parts);
  return phrase.english() == english ? phrase : Phrase::words(english);
}

void writePhrases(Json& object, const std::string& key, const std::vector<Phrase>& phrases) {
  Json english = Json::array(), all = Json::array();
  for (const Phrase& phrase : phrases) {
    english.push_back(wellFormedUtf8(phrase.english()));
    all.push_back(phraseToJson(phrase));
  }
  const bool more = english != all;
  object[key] = std::move(english);
  if (more) object[key + "_phrase"] = std::move(all);
}

std::vector<Phrase> readPhrases(const Json& object, const std::string& key) {
  std::vector<Phrase> phrases;
  const auto english = object.find(key), all = object.find(key + "_phrase");
  if (english == object.end() || !english->is_array()) return phrases;
  for (std::size_t i = 0; i < english->size(); ++i) {
    Json one = {{"words", (*english)[i]}};
    if (all != object.end() && all->is_array() && i < all->size()) one["words_phrase"] = (*all)[i];
    phrases.push_back(readPhrase(one, "words"));
  }
  return phrases;
}

}  // namespace fathom
