// SPDX-License-Identifier: Apache-2.0
// Golden cases of schema linking: area "sql_relations", from given lemmas to links (docs/schema_linking.md
// §3).
#include <QTest>

#include "core/spider/linking/name_linking.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

std::vector<std::string> synonymsOf(const Json& synonyms, std::size_t item) {
  const auto found = synonyms.find(std::to_string(item));
  return found == synonyms.end() ? std::vector<std::string>() : found->get<std::vector<std::string>>();
}

NamedSchema namedSchemaOf(const Json& line) {
  NamedSchema schema;
  for (std::size_t i = 0; i < line["tables"].size(); ++i)
    schema.tables.add(line["tables"][i].get<std::string>(), synonymsOf(line["table_synonyms"], i));
  for (std::size_t i = 0; i < line["columns"].size(); ++i)
    schema.columns.add(line["columns"][i].get<std::string>(), synonymsOf(line["column_synonyms"], i));
  for (const auto& [column, values] : line["text_values"].items()) {
    for (const Json& value : values) {
      const QStringList words = QString::fromStdString(value.get<std::string>()).split(' ');
      for (const QString& word : words) schema.values.add(std::stoi(column), word.toStdString());
    }
  }
  return schema;
}

ConceptTables conceptsOf(const Json& line) {
  ConceptTables concepts;
  for (const auto& [phrase, names] : line["is_a"].items())
    concepts.isA[phrase] = names.get<std::vector<std::string>>();
  for (const auto& [phrase, names] : line["related_to"].items())
    concepts.relatedTo[phrase] = names.get<std::vector<std::string>>();
  return concepts;
}

Json linksJson(const std::vector<LinkCode>& cells, std::size_t tokens) {
  Json out = Json::array();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] != LinkCode::None) out.push_back({i / tokens, i % tokens, static_cast<int>(cells[i])});
  }
  return out;
}

}  // namespace

class TestFixturesSchemaLinking : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"sql_relations"}); !why.empty()) QSKIP(why.c_str());
  }

  void linksOfGivenLemmas() {
    int lines = 0;
    std::map<int, int> codes;
    for (const auto& golden : fixtures::cases("sql_relations")) {
      const Json expected = fixtures::readJson(golden.file(".json"))["expected"];
      if (!expected.contains("links")) continue;  // the other cases are of relation ids
      for (const Json& line : fixtures::readJsonLines(golden.file(".jsonl.gz"))) {
        NamedSchema schema = namedSchemaOf(line);
        std::vector<QuestionToken> tokens;
        for (std::size_t i = 0; i < line["surface"].size(); ++i) {
          const std::string body = line["bodies"][i].get<std::string>();
          const std::string used = line["token_type_norm"].get<bool>() ? numberBody(body) : body;
          QCOMPARE(used, line["normalised"][i].get<std::string>());
          tokens.push_back({line["surface"][i].get<std::string>(), used});
        }
        const NameLinks found = linkNames(schema, tokens, conceptsOf(line));
        const auto what = line["what"].dump();
        QVERIFY2(linksJson(found.links.table, tokens.size()) == line["table_links"], what.c_str());
        QVERIFY2(linksJson(found.links.column, tokens.size()) == line["column_links"], what.c_str());
        Json consumed = Json::array();
        for (std::size_t i = 0; i < tokens.size(); ++i) {
          if (found.consumed[i]) consumed.push_back(i);
        }
        QVERIFY2(consumed == line["consumed"], what.c_str());
        ++lines;
        for (const auto* cells : {&found.links.table, &found.links.column}) {
          for (const LinkCode code : *cells) ++codes[static_cast<int>(code)];
        }
      }
      QCOMPARE(lines, expected["lines"].get<int>());
      for (const auto& [code, count] : expected["links"].items())
        QCOMPARE(codes[std::stoi(code)], count.get<int>());
    }
    if (lines == 0) QSKIP(fixtures::skipped("no case of links").c_str());
  }
};

QTEST_APPLESS_MAIN(TestFixturesSchemaLinking)
#include "tst_fixtures_schema_linking.moc"
