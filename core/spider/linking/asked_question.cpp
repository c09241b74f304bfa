// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/asked_question.h"

#include "core/spider/grammar/sql_tree.h"
#include "core/spider/linking/link_json.h"
#include "core/spider/linking/question_tokens.h"

namespace fathom {

namespace {

constexpr std::size_t kMostTokens = 20'000;

Result<std::string> askedText(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) return dataError(Phrase::tr("no text \"%1\"")(key));
  return found->get<std::string>();
}

Result<std::vector<std::string>> askedTokens(const Json& json, const std::string& question) {
  const auto found = json.find("tokens");
  if (found == json.end()) return questionWords(wordsOfText(question));
  if (!found->is_array() || found->size() > kMostTokens)
    return dataError(Phrase::tr("\"%1\" is no list of at most %2 words")("tokens", kMostTokens));
  std::vector<std::string> words;
  for (const Json& word : *found) {
    if (!word.is_string())
      return dataError(Phrase::tr("\"%1\" holds %2")("tokens", word.dump().substr(0, 40)));
    words.push_back(word.get<std::string>());
  }
  return questionWords(words);
}

Result<SchemaLinks> askedLinks(const Json& json, const SpiderSchema& schema, std::size_t tokens) {
  SchemaLinks links(static_cast<int>(tokens), expandedCount(schema),
                    static_cast<int>(schema.tables.size()) + 1);
  FATHOM_TRY(const auto tables, itemLinksFrom(json, "table_links", links.tables, links.tokens));
  FATHOM_TRY(const auto columns, itemLinksFrom(json, "column_links", links.columns, links.tokens));
  for (const ItemLink& link : tables) links.tableLink(link.item, link.token) = link.code;
  for (const ItemLink& link : columns) links.columnLink(link.item, link.token) = link.code;
  return links;
}

}  // namespace

bool AskedQuestion::operator==(const AskedQuestion& other) const {
  const auto cells = [](const AskedQuestion& asked) {
    return asked.links ? std::pair(asked.links->table, asked.links->column)
                       : std::pair<std::vector<LinkCode>, std::vector<LinkCode>>();
  };
  return database == other.database && question == other.question && tokens == other.tokens &&
         links.has_value() == other.links.has_value() && cells(*this) == cells(other);
}

Json askedQuestionJson(const AskedQuestion& asked) {
  Json json = {{"database", asked.database}, {"question", asked.question}};
  if (!asked.tokens.empty()) json["tokens"] = asked.tokens;
  if (asked.links) {
    json["table_links"] = itemLinksJson(asked.links->table, asked.links->tokens);
    json["column_links"] = itemLinksJson(asked.links->column, asked.links->tokens);
  }
  return json;
}

Result<AskedQuestion> askedQuestionFrom(const Json& json, const SpiderSchemas& schemas) {
  AskedQuestion asked;
  FATHOM_TRY(asked.database, askedText(json, "database"));
  FATHOM_TRY(asked.question, askedText(json, "question"));
  const SpiderSchema* schema = findSchema(schemas, asked.database);
  if (schema == nullptr) return dataError(Phrase::tr("database \"%1\" is unknown")(asked.database));
  FATHOM_TRY(asked.tokens, askedTokens(json, asked.question));
  if (asked.tokens.empty()) return dataError(Phrase::tr("the question is empty"));
  if (json.contains("table_links") || json.contains("column_links")) {
    FATHOM_TRY(asked.links, askedLinks(json, *schema, asked.tokens.size()));
  }
  return asked;
}

}  // namespace fathom
