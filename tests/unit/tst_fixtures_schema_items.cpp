// SPDX-License-Identifier: Apache-2.0
// Expanded schemas, question tokens, rows of word pieces with spans: area "sql_schema_items" of the fixtures.
#include <QTest>
#include <map>
#include <set>

#include "core/spider/inputs/encoder_row.h"
#include "core/spider/linking/question_tokens.h"
#include "core/text/lower_case.h"
#include "core/text/wordpiece_tokenizer.h"
#include "tests/unit/support_spider_data.h"

using namespace fathom;

namespace {

using Pairs = std::vector<std::pair<int, int>>;
using Texts = std::vector<std::string>;

std::string spansText(const std::vector<RowSpan>& spans) {
  Json json = Json::array();
  for (const RowSpan& span : spans) json.push_back({span.begin, span.end});
  return json.dump();
}

std::shared_ptr<const Tokenizer> wordPieces() {
  const std::string file = fixtures::dataPath("bert_vocab/vocab_uncased.txt");
  std::string text;
  for (const std::string& line : fixtures::readLines(file)) text += line + "\n";
  return std::make_shared<const WordPieceTokenizer>(WordPieceTokenizer::fromText(text, file).value());
}

Json segmentOnes(const EncoderRow& row) {
  Json places = Json::array();
  for (std::size_t i = 0; i < row.segments.size(); ++i)
    if (row.segments[i] == 1) places.push_back(i);
  return places;
}

}  // namespace

class TestFixturesSchemaItems : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"sql_schema_items"}); !why.empty()) QSKIP(why.c_str());
    if (fixtures::spiderFile("tables.json").empty()) QSKIP(fixtures::skipped("no Spider data").c_str());
  }

  void expansion() {
    const auto cases = fixtures::cases("sql_schema_items");
    const auto lines = fixtures::linesOf(cases, "sql_schema_items_expansion");
    QVERIFY(!lines.empty());
    for (const Json& line : lines) {
      const std::string db = line.at("db").get<std::string>();
      const SpiderSchema& schema = *findSchema(fixtures::spiderSchemas(), db);
      const SchemaItems items = schemaItems(schema);
      QCOMPARE(items.tables, line.at("tables").get<Texts>());
      QCOMPARE(items.texts, line.at("items").get<Texts>());
      QCOMPARE(items.primaryKeys, line.at("primary_keys").get<std::vector<int>>());
      QCOMPARE(items.foreignKeys, line.at("foreign_keys").get<Pairs>());
      QCOMPARE(items.columns.size(), line.at("columns").size());
      QCOMPARE(items.columns.size(), line.at("to_original").size());
      for (std::size_t c = 0; c < items.columns.size(); ++c) {
        const auto& column = items.columns[c];
        QCOMPARE(Json::array({column.table, column.name, column.type}).dump(), line.at("columns")[c].dump());
        // It is that column of tables.json, and its star where it is a star.
        const auto original = line.at("to_original")[c].get<std::size_t>();
        QCOMPARE(column.name, toLowerCase(schema.columns[original].name));
        QVERIFY(original == 0 || column.table == schema.columns[original].table);
      }
    }
  }

  void allSchemas() {
    const Json all = fixtures::caseJson(fixtures::cases("sql_schema_items"), "sql_schema_items_expansion")
                         .at("expected")
                         .at("all_schemas");
    std::map<std::string, int> types;
    int columns = 0, tables = 0, equal = 0;
    for (const auto& [db, schema] : fixtures::spiderSchemas()) {
      const SchemaItems items = schemaItems(schema);
      columns += items.columnCount();
      tables += items.tableCount();
      QCOMPARE(items.texts.size(), std::size_t(items.itemCount()));
      for (std::size_t c = 0; c < items.columns.size(); ++c)
        if (c == 0 || items.columns[c].name != "*") ++types[items.columns[c].type];
      equal += std::set<std::string>(items.texts.begin(), items.texts.end()).size() < items.texts.size();
    }
    QCOMPARE(int(fixtures::spiderSchemas().size()), all.at("schemas").get<int>());
    QCOMPARE(columns, all.at("expanded_columns").get<int>());
    QCOMPARE(tables, all.at("tables_with_extra").get<int>());
    QVERIFY((types == all.at("column_types_without_added_stars").get<std::map<std::string, int>>()));
    QCOMPARE(equal, all.at("schemas_with_equal_items").get<int>());
  }

  void questionTokens() {
    const auto lines = fixtures::linesOf(fixtures::cases("sql_schema_items"), "sql_schema_items_rows");
    if (lines.empty()) QSKIP("the case is not there");
    int differ = 0;
    for (const Json& line : lines) {
      const auto tokens = line.at("question_toks").get<Texts>();
      QCOMPARE(normalisedQuestion(tokens), line.at("text").get<std::string>());
      // spaCy's own, but for its exception "Id" and its infixes between letters and digits.
      differ += questionWords(tokens) != line.at("tokens").get<Texts>() ? 1 : 0;
    }
    QCOMPARE(differ, 2);
  }

  void rows() {
    if (fixtures::dataPath("bert_vocab/vocab_uncased.txt").empty()) QSKIP("no vocabulary");
    const auto cases = fixtures::cases("sql_schema_items");
    const auto lines = fixtures::linesOf(cases, "sql_schema_items_rows");
    if (lines.empty()) QSKIP("the case is not there");
    const auto tokenizer = wordPieces();
    const RowBuilder released(tokenizer, {RowLayout::Released, EqualItems::Once});
    const RowBuilder fixed(tokenizer, {RowLayout::Fixed, EqualItems::All});
    const Json config = fixtures::caseJson(cases, "sql_schema_items_rows").at("configuration");
    QCOMPARE(released.cls(), config.at("cls").get<std::int64_t>());
    QCOMPARE(released.sep(), config.at("sep").get<std::int64_t>());
    QCOMPARE(released.pad(), config.at("pad_id_released").get<std::int64_t>());
    for (const Json& line : lines) {
      const SchemaItems items =
          schemaItems(*findSchema(fixtures::spiderSchemas(), line.at("db").get<std::string>()));
      const auto order = line.value("order", std::vector<std::int64_t>());
      const auto tokens = line.at("tokens").get<Texts>();
      int layout = 0;
      for (const auto& [name, builder] : {std::pair{"released", &released}, std::pair{"fixed", &fixed}}) {
        const Json& expected = line.at(name);
        const PieceList words = builder->wordPieces(tokens);
        const ItemPieces pieces = builder->itemPieces(items);
        const EncoderRow row = builder->row(words, pieces, order);
        QCOMPARE(row.ids, expected.at("ids").get<std::vector<std::int32_t>>());
        QCOMPARE(spansText(row.words), expected.at("words").dump());
        QCOMPARE(spansText(row.items), expected.at("items").dump());
        Json ones = expected.at("segment_1");
        if (ones.is_number()) {
          const auto first = ones.get<std::size_t>();
          ones = Json::array();
          for (std::size_t i = first; i < row.ids.size(); ++i) ones.push_back(i);
        }
        QCOMPARE(segmentOnes(row).dump(), ones.dump());
        QCOMPARE(row.segments.size(), row.ids.size());
        QCOMPARE(builder->rowLength(words, pieces), std::int64_t(row.ids.size()));
        QCOMPARE(std::size_t(line.at("pieces")[static_cast<std::size_t>(layout++)]), row.ids.size());
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestFixturesSchemaItems)
#include "tst_fixtures_schema_items.moc"
