// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// Which examples of Spider reach a model (docs/text_to_sql.md §1), and the ceiling that the grammar, the
// search and the filter leave: acceptance 2, 3, 9 of the reference.
#include <QTest>
#include <algorithm>

#include "core/spider/grammar/grammar_search.h"
#include "core/spider/grammar/spider_filter.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/official/spider_evaluation.h"
#include "tests/unit/support_spider_data.h"

using namespace fathom;

namespace {

using Indices = std::vector<std::int64_t>;

const char* const kTables = R"([{"db_id": "shop", "table_names": ["item"], "table_names_original": ["Item"],
  "column_names": [[-1, "*"], [0, "id"], [0, "price"]],
  "column_names_original": [[-1, "*"], [0, "Id"], [0, "Price"]], "column_types": ["text", "number", "number"],
  "primary_keys": [1], "foreign_keys": []}])";

GoldExample fateOf(const std::string& sql, std::vector<std::string> tokens = {"how", "many", "?"},
                   const std::string& db = "shop",
                   const SpiderFilterRules& rules = SpiderFilterRules::training()) {
  static const SpiderSchemas kSchemas = parseSpiderTables(kTables, "tables.json").value();
  SpiderExample example{db, "how many?", sql, std::move(tokens)};
  return goldExample(example, findSchema(kSchemas, db), rules);
}

// All probability on gold's next action while gold is followed; elsewhere every action is as good as any
// other and worse.
GrammarScorer followGold(const std::vector<GrammarAction>& gold, int columns) {
  return [&gold, columns](const std::vector<const GrammarHypothesis*>& live) {
    std::vector<std::vector<double>> rows;
    for (const GrammarHypothesis* hypothesis : live) {
      const auto& done = hypothesis->actions;
      std::vector<double> row(static_cast<std::size_t>(kGrammarRules + 1 + columns), -50.0);
      if (done.size() < gold.size() && std::equal(done.begin(), done.end(), gold.begin())) {
        const GrammarAction next = gold[done.size()];
        row[static_cast<std::size_t>(next >= kSelectColumn ? kReduce + 1 + next - kSelectColumn : next)] = 0;
      }
      rows.push_back(std::move(row));
    }
    return rows;
  };
}

}  // namespace

class TestSpiderFilter : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyFateIsNamed() {
    QVERIFY(fateOf("SELECT count(*) FROM item").fate == ExampleFate::Kept);
    QVERIFY(fateOf("SELECT count(*) FROM item").roundTrip);
    const GoldExample unknown = fateOf("SELECT 1", {"a"}, "shopp");
    QVERIFY(unknown.fate == ExampleFate::UnknownDatabase);
    QVERIFY(unknown.why.find("shopp") != std::string::npos);
    QVERIFY(fateOf("SELECT count(*) FROM item", {}).fate == ExampleFate::EmptyQuestion);
    const GoldExample column = fateOf("SELECT colour FROM item");
    QVERIFY(column.fate == ExampleFate::ParseFailure);
    QVERIFY2(column.why.find("colour") != std::string::npos, column.why.c_str());
    QVERIFY(fateOf("not a query at all").fate == ExampleFate::ParseFailure);
    QVERIFY(fateOf("").fate == ExampleFate::ParseFailure);
    const GoldExample times = fateOf("SELECT price * id FROM item");
    QVERIFY(times.fate == ExampleFate::NotExpressible);
    QVERIFY2(times.why.find('*') != std::string::npos, times.why.c_str());
    const GoldExample nested = fateOf("SELECT count(*) FROM (SELECT id FROM item)");
    QVERIFY(nested.fate == ExampleFate::NotRoundTrip);
    QVERIFY(!nested.actions.empty());
    const std::vector<std::string> words(10'000, "word");
    const GoldExample lengthy = fateOf("SELECT count(*) FROM item", words);
    QVERIFY(lengthy.fate == ExampleFate::TooLong);
    QCOMPARE(lengthy.length, 10'000 + 4 + 2);
    QVERIFY2(lengthy.why.find("10006") != std::string::npos, lengthy.why.c_str());
    // What is evaluated is kept, however long it is and whether it survives the round trip or not.
    QVERIFY(fateOf("SELECT count(*) FROM item", words, "shop", SpiderFilterRules::evaluation()).fate ==
            ExampleFate::Kept);
    QVERIFY(
        fateOf("SELECT count(*) FROM (SELECT id FROM item)", {"a"}, "shop", SpiderFilterRules::evaluation())
            .fate == ExampleFate::Kept);
    for (std::size_t i = 0; i < kExampleFates; ++i) QVERIFY(*exampleFateName(static_cast<ExampleFate>(i)));
  }

  void stopsOnRequest() {
    SpiderDataset dataset;
    dataset.examples.resize(3);
    StopToken stop;
    stop.requestStop();
    const auto stopped = filterSpider(dataset, {}, {}, 2, stop);
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Interrupted);
  }

  void developmentSet() {
    if (fixtures::spiderFile("dev.json").empty()) QSKIP("no Spider data");
    const auto filtered = filterSpider(fixtures::spiderDevelopment(), fixtures::spiderSchemas(),
                                       SpiderFilterRules::evaluation())
                              .value();
    QCOMPARE(filtered.count(ExampleFate::Kept), std::int64_t{1034});
    QCOMPARE(filtered.corrected, std::int64_t{2});
    QVERIFY(filtered.examples[944].corrected && filtered.examples[945].corrected);
    QCOMPARE(filtered.notRoundTrip(), (Indices{211, 212, 225, 226, 227, 228, 257, 258, 744, 745, 890, 891,
                                               914, 915, 916, 917, 926, 927}));
  }

  void trainingSets() {
    if (fixtures::spiderFile("train_spider.json.gz").empty()) QSKIP("no Spider data");
    const auto rules = SpiderFilterRules::training();
    const auto train = filterSpider(fixtures::spiderTraining(), fixtures::spiderSchemas(), rules, 2).value();
    QCOMPARE(train.examples.size(), std::size_t{7000});
    QCOMPARE(train.count(ExampleFate::KnownBad), std::int64_t{1});
    QVERIFY(train.examples[3153].fate == ExampleFate::KnownBad);
    QCOMPARE(train.count(ExampleFate::NotRoundTrip), std::int64_t{66});
    QCOMPARE(train.count(ExampleFate::TooLong), std::int64_t{80});
    QCOMPARE(train.count(ExampleFate::Kept), std::int64_t{6853});
    QCOMPARE(train.corrected, std::int64_t{22});
    std::size_t actions = 0, longest = 0;
    for (std::size_t i = 0; i < train.examples.size(); ++i) {
      const GoldExample& gold = train.examples[i];
      if (gold.fate == ExampleFate::TooLong)
        QCOMPARE(fixtures::spiderTraining().examples[i].dbId, std::string("baseball_1"));
      if (gold.fate != ExampleFate::Kept) continue;
      actions += gold.actions.size();
      longest = std::max(longest, gold.actions.size());
    }
    QCOMPARE(QString::number(static_cast<double>(actions) / 6853, 'f', 1), QString("29.8"));
    QCOMPARE(longest, std::size_t{97});
    const SpiderDataset others = readSpiderDataset(fixtures::spiderFile("train_others.json.gz")).value();
    const auto other = filterSpider(others, fixtures::spiderSchemas(), rules, 2).value();
    QCOMPARE(other.examples.size(), std::size_t{1659});
    QCOMPARE(other.count(ExampleFate::NotExpressible), std::int64_t{1});
    QCOMPARE(other.count(ExampleFate::NotRoundTrip), std::int64_t{94});
    QCOMPARE(other.count(ExampleFate::Kept), std::int64_t{1564});
  }

  // Gold forced through search, filter, text and both scorers.
  void ceiling() {
    if (fixtures::spiderFile("dev.json").empty()) QSKIP("no Spider data");
    const SpiderDataset& dev = fixtures::spiderDevelopment();
    const SpiderSchemas& schemas = fixtures::spiderSchemas();
    GrammarSearchOptions search;
    search.beam = 1;  // so that nothing stands in for gold that the filter refuses
    std::vector<SpiderPair> pairs;
    int internal = 0, refused = 0;
    for (const SpiderExample& example : dev.examples) {
      const SpiderSchema& schema = *findSchema(schemas, example.dbId);
      const GoldExample gold = goldExample(example, &schema, SpiderFilterRules::evaluation());
      const int columns = expandedCount(schema);
      const auto found = searchGrammar(columns, followGold(gold.actions, columns), search);
      QCOMPARE(found.completed.size(), std::size_t{1});
      QCOMPARE(found.completed[0].actions, gold.actions);
      const GrammarTree tree = treeFromActions(found.completed[0].actions, columns).value();
      if (!treeIsValid(tree, schema)) {
        ++refused;
        pairs.push_back({example.dbId, example.query, "SELECT *"});
        continue;
      }
      const SqlQuery query = queryFromTree(tree, schema).value();
      const SqlQuery own =
          parseOfficialSql(correctedGold(example.query), schema, SqlDialect::DtFixup).value();
      internal += exactMatch(query, own, schema, MatchRules::DtFixup).exact ? 1 : 0;
      pairs.push_back({example.dbId, example.query, sqlText(query, schema, SqlTextStyle::Released)});
    }
    QCOMPARE(refused, 2);
    QCOMPARE(internal, 1014);
    QCOMPARE(evaluateSpider(pairs, schemas).value().exactCount, 1018);
  }
};

QTEST_APPLESS_MAIN(TestSpiderFilter)
#include "tst_spider_filter.moc"
