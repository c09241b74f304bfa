// SPDX-License-Identifier: Apache-2.0
// Gold SQL as actions and back: area "sql_actions" of the fixtures.
#include <QTest>
#include <algorithm>

#include "core/spider/grammar/spider_filter.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/official/spider_evaluation.h"
#include "tests/unit/support_spider_data.h"

using namespace fathom;

namespace {

// Both printers but for blanks and the case of words.
std::string comparable(const std::string& text) {
  std::string out;
  for (const char c : asciiLower(text))
    if (c != ' ') out += c;
  return out;
}

// Counts that a case states beside its lines.
struct ActionTotals {
  int examples = 0, expressible = 0, roundTrip = 0, valid = 0, official = 0, errata = 0, parseFails = 0,
      grammarFails = 0, actions = 0, longest = 0;
  std::vector<int> notRoundTrip, invalid, notOfficial;

  Json toJson() const {
    return {{"examples", examples},
            {"expressible", expressible},
            {"round_trip", roundTrip},
            {"valid", valid},
            {"official_exact_match", official},
            {"errata", errata},
            {"parse_fails", parseFails},
            {"grammar_fails", grammarFails},
            {"actions", actions},
            {"longest", longest},
            {"not_round_trip", notRoundTrip},
            {"invalid", invalid},
            {"not_official", notOfficial}};
  }
};

// Differences in words, empty when there is none.
std::string checkLine(const Json& line, const SpiderExample& example, ActionTotals& totals) {
  const int n = line.at("n").get<int>();
  const std::string at = "example " + std::to_string(n) + ": ";
  const SpiderSchema& schema = *findSchema(fixtures::spiderSchemas(), line.at("db").get<std::string>());
  const GoldExample gold = goldExample(example, &schema, SpiderFilterRules::evaluation());
  // The one gold query that is left out by its text names a table that is not there.
  const bool parseFails = gold.fate == ExampleFate::ParseFailure || gold.fate == ExampleFate::KnownBad;
  const bool grammarFails = gold.fate == ExampleFate::NotExpressible;
  totals.parseFails += parseFails ? 1 : 0;
  totals.grammarFails += grammarFails ? 1 : 0;
  if (line.contains("fails")) {
    const auto why = line.at("fails").get<std::string>();
    if (why == "parse" ? !parseFails : !grammarFails)
      return at + "fails as " + why + " and is " + exampleFateName(gold.fate);
    return gold.actions.empty() ? "" : at + "has actions";
  }
  if (gold.actions != line.at("a").get<std::vector<GrammarAction>>()) return at + "actions";
  GrammarState state;
  for (std::size_t step = 0; step < gold.actions.size(); ++step) {
    if (state.parentStep() != line.at("p")[step].get<int>()) return at + "parent " + std::to_string(step);
    if (int{state.frontier().type} != line.at("t")[step].get<int>())
      return at + "type " + std::to_string(step);
    state.apply(gold.actions[step]);
  }
  const GrammarTree tree = treeFromActions(gold.actions, expandedCount(schema)).value();
  const std::string sql = sqlText(queryFromTree(tree, schema).value(), schema, SqlTextStyle::Released);
  if (comparable(sql) != comparable(line.at("sql").get<std::string>())) return at + sql;
  const std::string released =
      sqlText(queryFromTree(tree, schema, TableOrder::Released).value(), schema, SqlTextStyle::Released);
  if (comparable(released) != comparable(line.value("sql_released", line.at("sql").get<std::string>())))
    return at + released;
  const auto score = [&](const std::string& text) {
    const std::vector<SpiderPair> pair = {{schema.dbId, example.query, gold.valid ? text : "SELECT *"}};
    return evaluateSpider(pair, fixtures::spiderSchemas()).value().exactCount == 1;
  };
  const bool official = score(sql);
  if (score(released) != line.value("em_released", official)) return at + "score of the released text";
  if (gold.valid != line.at("v").get<bool>()) return at + "valid";
  if (gold.roundTrip != line.at("rt").get<bool>()) return at + "round trip";
  if (official != line.at("em").get<bool>()) return at + "official score";
  if (gold.corrected != line.value("errata", false)) return at + "errata";
  ++totals.expressible;
  totals.roundTrip += gold.roundTrip ? 1 : 0;
  totals.valid += gold.valid ? 1 : 0;
  totals.official += official ? 1 : 0;
  totals.errata += gold.corrected ? 1 : 0;
  totals.actions += static_cast<int>(gold.actions.size());
  totals.longest = std::max(totals.longest, static_cast<int>(gold.actions.size()));
  if (!gold.roundTrip) totals.notRoundTrip.push_back(n);
  if (!gold.valid) totals.invalid.push_back(n);
  if (!official) totals.notOfficial.push_back(n);
  return {};
}

void compareCase(const std::string& name, const SpiderDataset& dataset) {
  const auto cases = fixtures::cases("sql_actions");
  ActionTotals totals;
  for (const Json& line : fixtures::linesOf(cases, name)) {
    ++totals.examples;
    const std::string wrong = checkLine(line, dataset.examples.at(line.at("n").get<std::size_t>()), totals);
    QVERIFY2(wrong.empty(), wrong.c_str());
  }
  if (totals.examples == 0) QSKIP("the case is not there");
  QCOMPARE(QString::fromStdString(totals.toJson().dump()),
           QString::fromStdString(fixtures::caseJson(cases, name).at("expected").dump()));
}

}  // namespace

class TestFixturesSqlActions : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"sql_actions"}); !why.empty()) QSKIP(why.c_str());
  }

  void grammarOfTheFixture() {
    const Json expected =
        fixtures::caseJson(fixtures::cases("sql_actions"), "sql_actions_grammar").at("expected");
    QCOMPARE(expected["types"].size(), std::size_t(kGrammarTypes));
    for (int type = 0; type < kGrammarTypes; ++type)
      QCOMPARE(expected["types"][static_cast<std::size_t>(type)].get<std::string>(),
               std::string(grammarTypeName(type)));
    QCOMPARE(expected["reduce"].get<int>(), kReduce);
    QCOMPARE(expected["productions"].size(), grammarProductions().size());
    for (const Json& row : expected["productions"]) {
      const GrammarProduction& own = grammarProductions().at(row["id"].get<std::size_t>());
      QCOMPARE(row["type"].get<std::string>(), std::string(grammarTypeName(own.type)));
      QCOMPARE(row["constructor"].get<std::string>(), std::string(own.constructor));
      QCOMPARE(row["fields"].size(), own.fields.size());
      for (std::size_t f = 0; f < own.fields.size(); ++f) {
        const char* many = own.fields[f].cardinality == Cardinality::Many       ? "*"
                           : own.fields[f].cardinality == Cardinality::Optional ? "?"
                                                                                : "";
        QCOMPARE(row["fields"][f].get<std::string>(),
                 grammarTypeName(own.fields[f].type) + std::string(many));
      }
    }
    QCOMPARE(expected["root"].get<std::string>(),
             std::string(grammarTypeName(GrammarState().frontier().type)));
  }

  // Gold that does not parse, and gold that names a table that is not there, are counted, as what they are.
  void failuresAreCounted() {
    if (fixtures::spiderFile("dev.json").empty()) QSKIP("no Spider data");
    SpiderExample broken = fixtures::spiderDevelopment().examples.at(0);
    ActionTotals totals;
    const Json parse = {{"n", 0}, {"db", broken.dbId}, {"fails", "parse"}};
    QVERIFY(!checkLine(parse, broken, totals).empty());  // it is not broken yet
    QCOMPARE(totals.parseFails, 0);
    broken.query = "SELECT count(*) FROM nowhere";
    QCOMPARE(QString::fromStdString(checkLine(parse, broken, totals)), QString());
    QCOMPARE(totals.parseFails, 1);
    const Json grammar = {{"n", 0}, {"db", broken.dbId}, {"fails", "grammar"}};
    QVERIFY(!checkLine(grammar, broken, totals).empty());
    QCOMPARE(totals.grammarFails, 0);
    QCOMPARE(totals.toJson().at("parse_fails").get<int>(), 2);
  }

  void developmentSet() {
    if (fixtures::spiderFile("dev.json").empty()) QSKIP("no Spider data");
    compareCase("sql_actions_dev", fixtures::spiderDevelopment());
  }

  void trainingSet() {
    if (fixtures::spiderFile("train_spider.json.gz").empty()) QSKIP("no Spider data");
    compareCase("sql_actions_train", fixtures::spiderTraining());
  }
};

QTEST_APPLESS_MAIN(TestFixturesSqlActions)
#include "tst_fixtures_sql_actions.moc"
