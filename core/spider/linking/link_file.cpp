// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/link_file.h"

#include "core/base/text/lines_of.h"
#include "core/spider/data/spider_dataset.h"
#include "core/spider/grammar/sql_tree.h"

namespace fathom {

namespace {

constexpr Phrase::Text kOtherData = Phrase::tr(
    "links are of one data set and its tables.json; make them with: fathom spider-link --data FILE "
    "--tables FILE --out FILE");

std::string joinedWords(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += ' ';
    out += word;
  }
  return out;
}

std::string questionKey(std::string_view dbId, const std::string& question) {
  return std::string(dbId) + '\n' + question;
}

}  // namespace

class LinkFile::Reader {
 public:
  Reader(std::string_view text, const std::string& path, const SpiderSchemas& schemas)
      : m_text(text), m_schemas(schemas) {
    m_file.m_path = path;
  }

  Result<LinkFile> read() {
    LinesOf lines(m_text);
    for (std::string_view line; lines.next(line);) {
      m_line = lines.number();
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      const auto json = parseJson(line, m_file.m_path);
      if (!json) return fault(json.error().messagePhrase());
      if (!json->is_object()) return fault(Phrase::tr("a line is to be an object"));
      if (m_line == 1 && json->contains("kind")) {
        FATHOM_CHECK(readFileHead(*json));
      } else {
        FATHOM_CHECK(readQuestion(*json));
      }
    }
    if (m_file.m_questions.empty()) return dataErrorAt(m_file.m_path, 0, Phrase::tr("the file has no links"));
    return std::move(m_file);
  }

 private:
  Error fault(const Phrase& message) const { return dataErrorAt(m_file.m_path, m_line, message, kOtherData); }

  Status readFileHead(const Json& head) const {
    if (head["kind"] != "schema links" || head.value("format", Json()) != 1)
      return fault(Phrase::tr("no file of links of format 1: kind %1, format %2")(
          head["kind"].dump(), head.value("format", Json()).dump()));
    return {};
  }

  Result<std::string> text(const Json& json, const char* key) const {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string()) return fault(Phrase::tr("no text \"%1\"")(key));
    return found->get<std::string>();
  }

  Result<std::vector<std::string>> texts(const Json& json, const char* key) const {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array()) return fault(Phrase::tr("no list \"%1\"")(key));
    std::vector<std::string> out;
    for (const Json& word : *found) {
      if (!word.is_string()) return fault(Phrase::tr("\"%1\" holds %2")(key, word.dump().substr(0, 40)));
      out.push_back(word.get<std::string>());
    }
    return out;
  }

  Status readQuestion(const Json& json) {
    FATHOM_TRY(const std::string dbId, text(json, "db_id"));
    FATHOM_TRY(const std::string question, text(json, "question"));
    FATHOM_TRY(const auto tokens, texts(json, "tokens"));
    if (tokens.empty()) return fault(Phrase::tr("\"%1\" is empty")("tokens"));
    const SpiderSchema* schema = findSchema(m_schemas, dbId);
    if (!schema) return fault(Phrase::tr("database \"%1\" is not in tables.json")(dbId));
    const int columns = expandedCount(*schema), tables = static_cast<int>(schema->tables.size()) + 1;
    FATHOM_CHECK(checkCount(json, "columns", columns, dbId));
    FATHOM_CHECK(checkCount(json, "tables", tables, dbId));
    Question linked;
    linked.columns = columns;
    linked.tables = tables;
    FATHOM_TRY(linked.tableLinks, links(json, "table_links", tables, tokens.size()));
    FATHOM_TRY(linked.columnLinks, links(json, "column_links", columns, tokens.size()));
    std::vector<std::string> bodies = tokens;
    if (json.contains("bodies")) {
      FATHOM_TRY(bodies, texts(json, "bodies"));
    }
    if (bodies.size() != tokens.size())
      return fault(Phrase::tr("%1 \"bodies\", but %2 \"tokens\"")(bodies.size(), tokens.size()));
    for (std::size_t i = 0; i < tokens.size(); ++i) linked.tokens.push_back({tokens[i], bodies[i]});
    return keep(questionKey(dbId, question), std::move(linked));
  }

  Status keep(const std::string& key, Question&& linked) {
    const auto [place, fresh] = m_file.m_questions.try_emplace(key);
    if (!fresh && place->second != linked)
      return fault(Phrase::tr("the question \"%1\" is there a second time with other links")(
          key.substr(key.find('\n') + 1)));
    place->second = std::move(linked);
    return {};
  }

  Status checkCount(const Json& json, const char* key, int count, const std::string& dbId) const {
    const auto found = json.find(key);
    if (found == json.end() || *found == count) return {};
    return fault(Phrase::tr("\"%1\" is %2, but database \"%3\" has %4")(key, found->dump().substr(0, 20),
                                                                        dbId, count));
  }

  Result<std::vector<ItemLink>> links(const Json& json, const char* key, int items,
                                      std::size_t tokens) const {
    auto read = itemLinksFrom(json, key, items, static_cast<int>(tokens));
    if (!read.ok()) return fault(read.error().messagePhrase());
    return read;
  }

  std::string_view m_text;
  const SpiderSchemas& m_schemas;
  std::int64_t m_line = 0;
  LinkFile m_file;
};

Result<LinkFile> LinkFile::parse(std::string_view text, const std::string& path,
                                 const SpiderSchemas& schemas) {
  return Reader(text, path, schemas).read();
}

Result<LinkFile> LinkFile::read(const std::string& path, const SpiderSchemas& schemas) {
  FATHOM_TRY(const std::string text, readMaybeGzip(path));
  return parse(text, path, schemas);
}

Result<LinkedQuestion> LinkFile::find(std::string_view dbId, const std::vector<std::string>& words) const {
  const std::string question = joinedWords(words);
  const auto found = m_questions.find(questionKey(dbId, question));
  if (found != m_questions.end()) {
    const Question& kept = found->second;
    LinkedQuestion out{kept.tokens,
                       SchemaLinks(static_cast<int>(kept.tokens.size()), kept.columns, kept.tables)};
    for (const ItemLink& link : kept.columnLinks) out.links.columnLink(link.item, link.token) = link.code;
    for (const ItemLink& link : kept.tableLinks) out.links.tableLink(link.item, link.token) = link.code;
    return out;
  }
  return dataErrorAt(m_path, 0,
                     Phrase::tr("no links for the question \"%1\" of database \"%2\"")(question, dbId),
                     kOtherData);
}

std::string linkFileHead(const std::string& linking, const std::string& dataSha256) {
  return Json{{"format", 1}, {"kind", "schema links"}, {"linking", linking}, {"data", dataSha256}}.dump() +
         '\n';
}

std::string linkFileLine(std::string_view dbId, const std::vector<std::string>& words,
                         const LinkedQuestion& question) {
  Json line = {{"db_id", dbId}, {"question", joinedWords(words)}};
  Json surfaces = Json::array(), bodies = Json::array();
  for (const auto& token : question.tokens) {
    surfaces.push_back(token.surface);
    bodies.push_back(token.body);
  }
  line["tokens"] = std::move(surfaces);
  line["bodies"] = std::move(bodies);
  line["columns"] = question.links.columns;
  line["tables"] = question.links.tables;
  line["table_links"] = itemLinksJson(question.links.table, question.links.tokens);
  line["column_links"] = itemLinksJson(question.links.column, question.links.tokens);
  return line.dump() + '\n';
}

}  // namespace fathom
