// SPDX-License-Identifier: Apache-2.0
// What a search leaves beside its answer: names, texts, sums, bounds, and the way back from JSON.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/spider/data/made_spider.h"
#include "core/spider/grammar/search_details.h"
#include "core/spider/spider_schema.h"

using namespace fathom;

namespace {

const SpiderSchemas& sampleSchemas() {
  static const SpiderSchemas kSchemas = parseSpiderTables(makeSpiderData().tablesJson, "made").value();
  return kSchemas;
}

const SpiderSchema& firstSchema() {
  return sampleSchemas().begin()->second;
}

// A scorer that knows nothing but never says the same twice; short derivations are likely ones.
GrammarSearchResult searched(const SpiderSchema& schema, const GrammarSearchOptions& options) {
  const int columns = expandedCount(schema);
  const GrammarScorer scorer = [columns](const std::vector<const GrammarHypothesis*>& live) {
    std::vector<std::vector<double>> rows;
    for (const GrammarHypothesis* hypothesis : live) {
      std::vector<double> row;
      for (std::size_t i = 0; i < kRuleOutputs + static_cast<std::size_t>(columns); ++i) {
        const auto mixed = (i * 2654435761U + hypothesis->actions.size() * 40503U) % 1000;
        row.push_back(-0.3 - static_cast<double>(mixed) / 250);
      }
      row[kReduce] = -0.05;
      row[kRuleSingleQuery] = row[kRuleValUnit] = row[kRuleNone] = -0.1;
      rows.push_back(std::move(row));
    }
    return rows;
  };
  return searchGrammar(columns, scorer, options);
}

Json explained(const GrammarSearchResult& result, const SpiderSchema& schema) {
  return explainedSearch(
      searchNumbers(result, 7, {"How", "many"}),
      [&schema](std::int64_t database) { return database == 7 ? &schema : nullptr; }, SqlTextStyle::Correct);
}

double sumOf(const ExplainedHypothesis& hypothesis, double columnWeight) {
  double sum = 0;
  for (const ExplainedAction& action : hypothesis.actions)
    sum += action.logProbability * (action.column ? columnWeight : 1);
  return sum;
}

}  // namespace

class SearchDetailsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void namesOfActions() {
    const SpiderSchema& schema = firstSchema();
    QCOMPARE(actionText(kRuleSelectCol, schema), std::string("SelectCol"));
    QCOMPARE(actionText(kReduce, schema), std::string("Reduce"));
    QCOMPARE(actionText(kSelectColumn, schema), std::string("*"));
    QCOMPARE(actionText(kSelectColumn + 1, schema), schema.tables[0].originalName + ".*");
    const int column = schema.tables[0].columns.front();
    QCOMPARE(actionText(kSelectColumn + expandedColumn(schema, column), schema), schema.columnText(column));
    QCOMPARE(actionText(kSelectColumn + 100000, schema), std::string("101000"));
  }

  // The whole beam: what is complete first, every action with its log p, sums that are the scores.
  void beamIsToldWhole() {
    const SpiderSchema& schema = firstSchema();
    for (const int steps : {100, 9}) {
      const GrammarSearchOptions options{.beam = 5, .maxSteps = steps};
      const GrammarSearchResult result = searched(schema, options);
      const SearchDetails details = searchDetailsFromJson(explained(result, schema)).value();
      QCOMPARE(details.database, schema.dbId);
      QCOMPARE(details.tokens, (std::vector<std::string>{"How", "many"}));
      QCOMPARE(details.hypotheses.size(), result.completed.size() + result.unfinished.size());
      QVERIFY(!details.hypotheses.empty() && details.hypotheses.size() <= 5);
      for (std::size_t i = 0; i < details.hypotheses.size(); ++i) {
        const ExplainedHypothesis& one = details.hypotheses[i];
        QCOMPARE(one.finished, i < result.completed.size());
        QVERIFY(std::abs(sumOf(one, options.columnWeight) - one.score) < 1e-4);
        const GrammarHypothesis& found =
            one.finished ? result.completed[i] : result.unfinished[i - result.completed.size()];
        QCOMPARE(one.actions.size(), found.actions.size());
        QCOMPARE(one.score, found.score);
        if (i > 0 && one.finished) QVERIFY(one.score <= details.hypotheses[i - 1].score);
        const auto sql = sqlOfActions(found.actions, schema, SqlTextStyle::Correct);
        QCOMPARE(one.sql, one.finished && sql.ok() ? *sql : std::string());
      }
    }
    QVERIFY(!searched(schema, {.beam = 5, .maxSteps = 100}).completed.empty());
    QVERIFY(!searched(schema, {.beam = 5, .maxSteps = 9}).unfinished.empty());
  }

  void sizeIsBounded() {
    const SpiderSchema& schema = firstSchema();
    const GrammarSearchResult wide = searched(schema, {.beam = 60, .maxSteps = 100});
    QVERIFY(wide.completed.size() + wide.unfinished.size() > 20);
    QCOMPARE(searchNumbers(wide, 7, {})["hypotheses"].size(), std::size_t{20});
    // Derivations of thousands of actions: the worst are left out, the file's lines stay readable.
    GrammarSearchResult endless;
    endless.unfinished.resize(3);
    for (GrammarHypothesis& one : endless.unfinished) {
      one.actions.assign(2000, kRuleNone);
      one.logProbabilities.assign(2000, -1);
    }
    const Json told = explained(endless, schema);
    QCOMPARE(told["hypotheses"].size(), std::size_t{2});
    QVERIFY(told.dump().size() < (std::size_t{300} << 10));
  }

  void otherJsonStays() {
    const SpiderSchema& schema = firstSchema();
    const Json told = explained(searched(schema, {.beam = 3, .maxSteps = 60}), schema);
    const auto schemaOf = [&schema](std::int64_t) { return &schema; };
    QCOMPARE(explainedSearch(told, schemaOf, SqlTextStyle::Correct).dump(), told.dump());
    QVERIFY(explainedSearch(
                {{"number", 7}, {"tokens", Json::array()}, {"hypotheses", Json::array()}},
                [](std::int64_t) { return nullptr; }, SqlTextStyle::Correct)
                .is_null());
  }

  void damagedJsonIsNamed() {
    const auto refused = [](const char* text, const char* member) {
      const auto read = searchDetailsFromJson(parseJson(text).value());
      return !read.ok() && read.error().text().find(member) != std::string::npos;
    };
    QVERIFY(refused("[]", "hypotheses"));
    QVERIFY(refused(R"({"hypotheses":1})", "hypotheses"));
    QVERIFY(refused(R"({"hypotheses":[{"sql":"x"}]})", "actions"));
    QVERIFY(refused(R"({"hypotheses":[{"actions":[]}]})", "sql"));
    QVERIFY(refused(R"({"hypotheses":[{"sql":"x","actions":[1]}]})", "action"));
    const SearchDetails bare =
        searchDetailsFromJson(parseJson(R"({"hypotheses":[{"sql":"x","score":"NaN","actions":[]}]})").value())
            .value();
    QVERIFY(bare.hypotheses[0].finished && std::isnan(bare.hypotheses[0].score));
  }
};

QTEST_APPLESS_MAIN(SearchDetailsTest)
#include "tst_search_details.moc"
