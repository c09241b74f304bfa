// SPDX-License-Identifier: Apache-2.0
// What a network reads of Spider (docs/text_to_sql.md §2 to §6): typed questions, rows, relation ids, and
// their distributions over the real data.
#include <QTest>
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/spider/grammar/spider_filter.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/inputs/encoder_row.h"
#include "core/spider/inputs/schema_relations.h"
#include "core/spider/linking/question_tokens.h"
#include "core/text/byte_bpe_tokenizer.h"
#include "core/text/wordpiece_tokenizer.h"
#include "tests/unit/support_byte_vocabulary.h"
#include "tests/unit/support_spider_data.h"

using namespace fathom;

namespace {

using Texts = std::vector<std::string>;

const char* const kSchema = R"({"db_id": "shop", "table_names": ["Item", "stock"],
  "table_names_original": ["Item", "Stock"],
  "column_names": [[-1, "*"], [0, "Id"], [0, "price"], [1, "item id"], [1, "price"]],
  "column_names_original": [[-1, "*"], [0, "Id"], [0, "Price"], [1, "Item_Id"], [1, "Price"]],
  "column_types": ["text", "number", "number", "number", "number"],
  "primary_keys": [1], "foreign_keys": [[3, 1]]})";

SpiderSchema shop() {
  return spiderSchemaFromJson(parseJson(kSchema, "schema").value(), "schema").value();
}

std::shared_ptr<const Tokenizer> realWordPieces() {
  const std::string file = fixtures::dataPath("bert_vocab/vocab_uncased.txt");
  std::string text;
  for (const std::string& line : fixtures::readLines(file)) text += line + "\n";
  return std::make_shared<const WordPieceTokenizer>(WordPieceTokenizer::fromText(text, file).value());
}

using RelationCounts = std::array<std::int64_t, 16>;

struct RowFacts {
  std::int64_t rows = 0, pieces = 0, longest = 0, over512 = 0;
  double mean() const { return static_cast<double>(pieces) / static_cast<double>(rows); }
};

}  // namespace

class TestSpiderInputs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Tokens of the raw question against the data set's own.
  void typedQuestionsOfSpider() {
    if (fixtures::spiderFile("dev.json").empty()) QSKIP("no Spider data");
    int equal = 0;
    for (const SpiderExample& example : fixtures::spiderDevelopment().examples)
      equal += questionWords(wordsOfText(example.question)) == questionWords(example.questionTokens) ? 1 : 0;
    qInfo("%d of 1034 questions give the data set's tokens", equal);
    QVERIFY(equal >= 1020);
  }

  void rowsOfASmallSchema() {
    const std::string vocabulary =
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\nhow\nmany\nitem\nstock\n*\ntext\nnumber\nid\nprice\n";
    const auto tokenizer = std::make_shared<const WordPieceTokenizer>(
        WordPieceTokenizer::fromText(vocabulary, "vocab.txt").value());
    const SchemaItems items = schemaItems(shop());
    QCOMPARE(items.texts, (Texts{"item", "stock", "*", "text *", "text *", "text *", "number id",
                                 "number price", "number item id", "number price"}));
    QCOMPARE(items.tableOf(0), 2);
    const Texts question = {"How", "many"};
    const RowBuilder once(tokenizer, {RowLayout::Fixed, EqualItems::Once});
    const PieceList words = once.wordPieces(question);
    const ItemPieces pieces = once.itemPieces(items);
    const EncoderRow row = once.row(words, pieces);
    QCOMPARE(row.ids, (std::vector<std::int32_t>{2, 4,  5,  3, 6,  3,  7, 3,  8, 3,  9, 8,
                                                 3, 10, 11, 3, 10, 12, 3, 10, 6, 11, 3}));
    QVERIFY(row.items[3] == row.items[4] && row.items[4] == row.items[5] && row.items[7] == row.items[9]);
    QVERIFY(row.items[9] == (RowSpan{16, 18}));
    QCOMPARE(once.rowLength(words, pieces), std::int64_t{23});
    const RowBuilder all(tokenizer, {RowLayout::Fixed, EqualItems::All});
    QCOMPARE(all.row(words, pieces).ids.size(), std::size_t{32});
    // The last listed item is a repeated one: no SEP of segment 1.
    const RowBuilder released(tokenizer, {RowLayout::Released, EqualItems::Once});
    QCOMPARE(int(released.row(words, pieces).segments.back()), 0);
    const std::vector<std::int64_t> order = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    const EncoderRow turned = released.row(words, pieces, order);
    QCOMPARE(int(turned.segments.back()), 1);
    QVERIFY(turned.items[9] == (RowSpan{4, 6}) && turned.items[7] == turned.items[9]);
    QVERIFY(turned.items[0] == (RowSpan{21, 22}));
    QCOMPARE(once.rowLength(words, pieces), std::int64_t(turned.ids.size()));
    const std::vector<std::int64_t> wrong = {0, 1};
    QVERIFY_THROWS_EXCEPTION(Failure, released.row(words, pieces, wrong));
  }

  // The released code finds neither "[CLS]" nor "[SEP]" in RoBERTa's vocabulary, and pads with id 0; words
  // have no blank before them.
  void byteLevelRows() {
    const test::ByteVocabulary made = test::byteVocabulary();
    const auto tokenizer = std::make_shared<const ByteBpeTokenizer>(
        ByteBpeTokenizer::fromFiles(made.vocabulary, "vocab.json", made.merges, "merges.txt").value());
    const SchemaItems items = schemaItems(shop());
    const Texts question = {"the", "he"};
    const RowBuilder released(tokenizer, {RowLayout::Released, EqualItems::Once, true});
    const EncoderRow row = released.row(released.wordPieces(question), released.itemPieces(items));
    QCOMPARE(released.cls(), std::int64_t{3});
    QCOMPARE(released.sep(), std::int64_t{3});
    QCOMPARE(released.pad(), std::int64_t{0});
    QCOMPARE(released.firstPosition(), std::int64_t{2});
    QCOMPARE(row.ids.front(), 3);
    QCOMPARE(row.words.size(), std::size_t{2});
    QCOMPARE(tokenizer->piece(row.ids[1]), std::string("t"));  // not "Ġthe"
    QCOMPARE(std::count(row.ids.begin(), row.ids.end(), 3),
             std::ptrdiff_t(2 + std::set<std::string>(items.texts.begin(), items.texts.end()).size()));
    const RowBuilder fixed(tokenizer, {RowLayout::Fixed, EqualItems::Once, true});
    QCOMPARE(fixed.cls(), std::int64_t{0});
    QCOMPARE(fixed.sep(), std::int64_t{2});
    QCOMPARE(fixed.pad(), std::int64_t{1});
  }

  void relationsNeedFittingLinks() {
    const SchemaRelations relations(graphOf(schemaItems(shop())), RelationSet::DtFixup);
    std::vector<std::uint8_t> ids(100);
    QVERIFY_THROWS_EXCEPTION(Failure, relations.write(SchemaLinks(0, 5, 2), ids));  // ids of tables.json
    QVERIFY_THROWS_EXCEPTION(Failure, relations.write(SchemaLinks(1, 7, 3), ids));  // no room
    relations.write(SchemaLinks(0, 7, 3), ids);
    QCOMPARE(int(ids[0]), 0);
    QCOMPARE(int(ids[3 * 10 + 5]), 2);  // item.id is a primary key, stock.item_id points to it
    QCOMPARE(int(ids[5 * 10 + 3]), 3);
    QCOMPARE(int(ids[7 * 10 + 8]), 7);  // item -> stock
    QCOMPARE(relationTypes(RelationSet::DtFixup), 33);
    QCOMPARE(relationTypes(RelationSet::RatSql), 51);
    QCOMPARE(relationTypes(RelationSet::None), 0);
  }

  // A schema of 1,000 columns: no element of n x n is computed twice, and nothing overflows.
  void wideSchemas() {
    Json schema = parseJson(kSchema, "schema").value();
    for (int i = 0; i < 1000; ++i) {
      schema["column_names"].push_back({0, "column " + std::to_string(i)});
      schema["column_names_original"].push_back({0, "c" + std::to_string(i)});
      schema["column_types"].push_back("text");
    }
    const SchemaItems items = schemaItems(spiderSchemaFromJson(schema, "schema").value());
    const SchemaRelations relations(graphOf(items), RelationSet::RatSql);
    const SchemaLinks links(20, items.columnCount(), items.tableCount());
    const auto n = static_cast<std::size_t>(relations.size(links));
    QCOMPARE(n, std::size_t{20 + 1007 + 3});
    std::vector<std::uint8_t> ids(n * n);
    relations.write(links, ids);
    QVERIFY(std::all_of(ids.begin(), ids.end(), [](std::uint8_t id) { return id < 51; }));
  }

  void relationCountsOfSpider() {
    if (fixtures::spiderFile("dev.json").empty()) QSKIP("no Spider data");
    const SpiderSchemas& all = fixtures::spiderSchemas();
    SpiderSchemas dev;
    for (const SpiderExample& example : fixtures::spiderDevelopment().examples)
      dev.emplace(example.dbId, *findSchema(all, example.dbId));
    QCOMPARE(all.size(), std::size_t{166});
    QCOMPARE(dev.size(), std::size_t{20});
    QCOMPARE(itemRelationCounts(all), (RelationCounts{5545, 40702, 864, 716, 327298, 1042, 565, 565, 272,
                                                      6570, 781, 4764, 47194, 781, 4764, 47194}));
    QCOMPARE(itemRelationCounts(dev),
             (RelationCounts{542, 4558, 70, 56, 14154, 101, 47, 47, 18, 384, 74, 468, 2738, 74, 468, 2738}));
  }

  void rowLengthsOfSpider() {
    if (fixtures::spiderFile("dev.json").empty() ||
        fixtures::dataPath("bert_vocab/vocab_uncased.txt").empty())
      QSKIP("no Spider data or vocabulary");
    const auto tokenizer = realWordPieces();
    const RowBuilder once(tokenizer, {RowLayout::Fixed, EqualItems::Once});
    const RowBuilder all(tokenizer, {RowLayout::Fixed, EqualItems::All});
    std::map<std::string, ItemPieces> pieces;
    for (const auto& [db, schema] : fixtures::spiderSchemas())
      pieces[db] = once.itemPieces(schemaItems(schema));
    const auto measure = [&](const SpiderDataset& dataset, const SpiderFilterRules& rules) {
      std::array<RowFacts, 2> facts;
      for (const SpiderExample& example : dataset.examples) {
        const SpiderSchema& schema = *findSchema(fixtures::spiderSchemas(), example.dbId);
        if (goldExample(example, &schema, rules).fate != ExampleFate::Kept) continue;
        const PieceList words = once.wordPieces(questionWords(example.questionTokens));
        for (const auto& [builder, to] : {std::pair{&once, &facts[0]}, std::pair{&all, &facts[1]}}) {
          const std::int64_t length = builder->rowLength(words, pieces.at(example.dbId));
          ++to->rows;
          to->pieces += length;
          to->longest = std::max(to->longest, length);
          to->over512 += length > 512 ? 1 : 0;
        }
      }
      return facts;
    };
    const auto dev = measure(fixtures::spiderDevelopment(), SpiderFilterRules::evaluation());
    // The reference counted tokens before quotes were made one: 114.0, 143.5, 122.6, 582.
    QCOMPARE(QString::number(dev[0].mean(), 'f', 1), QString("113.9"));
    QCOMPARE(dev[0].longest, std::int64_t{251});
    QCOMPARE(QString::number(dev[1].mean(), 'f', 1), QString("143.4"));
    const auto train = measure(fixtures::spiderTraining(), SpiderFilterRules::training());
    QCOMPARE(train[0].rows, std::int64_t{6853});
    QCOMPARE(QString::number(train[0].mean(), 'f', 1), QString("122.4"));
    QCOMPARE(train[0].longest, std::int64_t{381});
    QCOMPARE(train[1].over512, std::int64_t{82});
    QCOMPARE(train[1].longest, std::int64_t{581});
  }
};

QTEST_APPLESS_MAIN(TestSpiderInputs)
#include "tst_spider_inputs.moc"
