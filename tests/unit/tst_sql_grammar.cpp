// SPDX-License-Identifier: Apache-2.0
// Grammar, transition system and SQL <-> tree: the figures of docs/sql_grammar.md §1, §4.
#include <QTest>
#include <fstream>

#include "core/spider/data/prediction_file.h"
#include "core/spider/data/spider_dataset.h"
#include "core/spider/grammar/sql_tree.h"
#include "tests/unit/support_dataset_sql.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;

namespace {

const std::string kData = fixtures::dataFolder() + "/spider/";
bool haveData() {
  return std::ifstream(kData + "tables.json").good();
}

}  // namespace

class TestSqlGrammar : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void productionsAreInTextOrder() {
    std::string last;
    for (const auto& production : grammarProductions()) {
      const std::string text =
          std::string(grammarTypeName(production.type)) + " -> " + production.constructor + "(";
      QVERIFY2(last < text, text.c_str());
      last = text;
    }
    for (int t = 1; t < kGrammarTypes; ++t) QVERIFY(std::string(grammarTypeName(t - 1)) < grammarTypeName(t));
    QVERIFY(productionsOf(kTypeColId).empty());
    QCOMPARE(productionsOf(kTypeCond).size(), std::size_t{19});
  }

  void badSequencesAreNamed() {
    QVERIFY(!treeFromActions({}, 5));
    QVERIFY(!treeFromActions({kRuleQuery}, 5));
    QVERIFY(!treeFromActions({kRuleSingleQuery, kRuleQuery, kRuleSelect, kRuleSelectCol, kRuleNone,
                              kRuleValUnit, kRuleColUnit, kRuleNone, kSelectColumn + 5},
                             5));
    const auto early = treeFromActions({kRuleSingleQuery, kReduce}, 5);
    QVERIFY(!early && early.error().message.find("step 1") != std::string::npos);
  }

  void devRoundTrip() {
    if (!haveData()) QSKIP("no Spider data");
    const auto schemas = readSpiderTables(kData + "tables.json").value();
    const auto gold = readGoldFile(kData + "dev_gold.sql").value();
    std::vector<std::size_t> different, rejected;
    std::size_t total = 0, longest = 0;
    std::vector<SpiderPair> rebuilt;
    for (std::size_t i = 0; i < gold.size(); ++i) {
      const SpiderSchema& schema = *findSchema(schemas, gold[i].dbId);
      const auto query = parseOfficialSql(correctedGold(gold[i].sql), schema, SqlDialect::DtFixup);
      QVERIFY2(query.ok(), gold[i].sql.c_str());
      const auto tree = treeFromQuery(*query, schema);
      QVERIFY2(tree.ok(), gold[i].sql.c_str());
      const auto actions = actionsOf(*tree);
      total += actions.size();
      longest = std::max(longest, actions.size());
      QVERIFY(treeFromActions(actions, expandedCount(schema)).value() == *tree);
      const SqlQuery back = queryFromTree(*tree, schema).value();
      const bool same = exactMatch(back, *query, schema, MatchRules::DtFixup).exact;
      const bool valid = treeIsValid(*tree, schema);
      if (!same) different.push_back(i);
      if (same && !valid) rejected.push_back(i);
      rebuilt.push_back(
          {gold[i].dbId, gold[i].sql, valid ? sqlText(back, schema, SqlTextStyle::Released) : "SELECT *"});
    }
    const std::vector<std::size_t> listed = {211, 212, 225, 226, 227, 228, 257, 258, 744,
                                             745, 890, 891, 914, 915, 916, 917, 926, 927};
    QCOMPARE(different, listed);
    QCOMPARE(rejected, (std::vector<std::size_t>{541, 542}));
    QCOMPARE(QString::number(static_cast<double>(total) / 1034, 'f', 1), QString("29.8"));
    QCOMPARE(longest, std::size_t{82});
    const auto evaluation = evaluateSpider(rebuilt, schemas).value();
    QCOMPARE(evaluation.exactCount, 1018);
    const char* shares[] = {"0.992", "1.000", "0.943", "0.976", "0.985"};
    for (std::size_t level = 0; level < 5; ++level) {
      QCOMPARE(QString::number(evaluation.levels[level].exact, 'f', 3), QString(shares[level]));
    }
  }

  void dtFixupEvaluatorDiffers() {
    if (!haveData()) QSKIP("no Spider data");
    const auto schemas = readSpiderTables(kData + "tables.json").value();
    const auto pair = [](const char* gold, const char* predicted) {
      return std::vector<SpiderPair>{{"concert_singer", gold, predicted}};
    };
    const auto nested = pair(
        "SELECT name FROM singer WHERE singer_id NOT IN (SELECT DISTINCT singer_id FROM singer_in_concert)",
        "SELECT name FROM singer WHERE singer_id NOT IN (SELECT singer_id FROM singer_in_concert)");
    const auto count = [&](const std::vector<SpiderPair>& pairs, MatchRules rules) {
      return evaluateSpider(pairs, schemas, {rules, 1}).value().exactCount;
    };
    QCOMPARE(count(nested, MatchRules::Official), 0);
    QCOMPARE(count(nested, MatchRules::DtFixup), 1);
  }

  void datasetTreesEqualTheParser() {
    if (!haveData()) QSKIP("no Spider data");
    const auto schemas = readSpiderTables(kData + "tables.json").value();
    const Json records = parseJson(readMaybeGzip(kData + "dev.json").value(), "dev.json").value();
    QCOMPARE(records.size(), std::size_t{1034});
    for (const Json& record : records) {
      const SpiderSchema& schema = *findSchema(schemas, record["db_id"].get<std::string>());
      const SqlQuery stored = fixtures::queryFromDatasetJson(record["sql"], schema).value();
      const SqlQuery parsed = parseOfficialSql(record["query"].get<std::string>(), schema).value();
      QVERIFY2(stored == parsed, record["query"].get<std::string>().c_str());
    }
    QCOMPARE(readSpiderDataset(kData + "dev.json").value().examples.size(), std::size_t{1034});
    QCOMPARE(readSpiderDataset(kData + "train_others.json.gz").value().examples.size(), std::size_t{1659});
  }
};

QTEST_APPLESS_MAIN(TestSqlGrammar)
#include "tst_sql_grammar.moc"
