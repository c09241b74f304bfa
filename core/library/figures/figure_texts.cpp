// SPDX-License-Identifier: Apache-2.0
#include "core/library/figures/figure_texts.h"

#include <utility>

#include "core/base/errors/phrase.h"

namespace fathom {

namespace {

using Texts = std::map<std::string, std::string>;

Status readTexts(const Json& json, const char* key, Texts& texts) {
  const auto member = json.find(key);
  if (member == json.end()) return {};
  if (!member->is_object())
    return dataError(Phrase::tr("\"%1\" of the texts of a figure must be an object")(key));
  for (const auto& [was, is] : member->items()) {
    if (!is.is_string())
      return dataError(Phrase::tr("\"%1\" among the texts of a figure must be a text")(was));
    texts[was] = is.get<std::string>();
  }
  return {};
}

}  // namespace

void FigureTexts::say(const std::string& was, const std::string& is) {
  for (Texts* texts : {&titles, &axes, &legend}) (*texts)[was] = is;
}

Json FigureTexts::toJson() const {
  Json json = Json::object();
  for (const auto& [key, texts] :
       {std::pair{"titles", &titles}, std::pair{"axes", &axes}, std::pair{"legend", &legend}})
    if (!texts->empty()) json[key] = *texts;
  return json;
}

Result<FigureTexts> figureTextsFromJson(const Json& json) {
  if (!json.is_object()) return dataError(Phrase::tr("the texts of a figure must be an object"));
  FigureTexts texts;
  FATHOM_CHECK(readTexts(json, "titles", texts.titles));
  FATHOM_CHECK(readTexts(json, "axes", texts.axes));
  FATHOM_CHECK(readTexts(json, "legend", texts.legend));
  return texts;
}

const std::string& wordsFor(const Texts& texts, const std::string& was) {
  const auto said = texts.find(was);
  return said == texts.end() ? was : said->second;
}

}  // namespace fathom
