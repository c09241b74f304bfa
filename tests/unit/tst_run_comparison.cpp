// SPDX-License-Identifier: Apache-2.0
// Runs side by side: which options differ, which score is the best, how far the others are from the base.
#include "core/analysis/training/run_comparison.h"

#include <QTest>
#include <cmath>

#include "core/analysis/training/difference_curve.h"

using namespace fathom;

namespace {

const Metric kBleu{.id = "valid.bleu",
                   .title = "validation BLEU",
                   .shortTitle = "BLEU",
                   .direction = MetricDirection::Higher,
                   .headline = 1,
                   .decimals = 2};
const Metric kNll{
    .id = "valid.nll", .title = "validation nll", .shortTitle = "nll", .direction = MetricDirection::Lower};
const Metric kRate{.id = "lr", .title = "learning rate", .shortTitle = "lr"};

RunFacts factsOf(const std::string& name, const char* scheme, int seed, double bleu, double nll) {
  RunFacts facts;
  facts.run = facts.name = name;
  facts.options = {{"encoder.residual", scheme}, {"model.width", 64}, {"seed", seed}};
  facts.last = {{"valid.bleu", bleu}, {"valid.nll", nll}, {"lr", 0.001}};
  facts.best = {{"valid.bleu", bleu + 1}, {"valid.nll", nll - 0.5}};
  return facts;
}

std::vector<RunFacts> fourRuns() {
  return {factsOf("post · seed 1", "post_ln", 1, 20, 3), factsOf("post · seed 2", "post_ln", 2, 22, 3.5),
          factsOf("admin · seed 1", "admin", 1, 26, 2.5), factsOf("admin · seed 2", "admin", 2, 25, 2.25)};
}

const ComparedScore& scoreOf(const RunComparison& comparison, const std::string& metric) {
  for (const ComparedScore& score : comparison.scores)
    if (score.metric.id == metric) return score;
  qFatal("no such score");
}

TrainingCurve curveOf(const std::string& name, std::vector<double> x, std::vector<double> value) {
  TrainingCurve curve;
  curve.name = name;
  curve.runs = {name};
  curve.x = std::move(x);
  curve.value = std::move(value);
  return curve;
}

}  // namespace

class RunComparisonTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void decidingOptionsComeFirst();
  void bestAndDifferences();
  void failedRunsAreNeverBest();
  void equalRunsHaveNoBest();
  void seedsStandTogether();
  void tableForAPaper();
  void differencesAtCommonUpdates();
  void differencesOfMeansHaveABand();
  void nothingInCommonIsAnError();
};

void RunComparisonTest::decidingOptionsComeFirst() {
  const RunComparison comparison = compareRuns(fourRuns(), {kBleu}, {});
  QCOMPARE(comparison.options.size(), std::size_t{2});
  QCOMPARE(comparison.options[0].key, std::string("encoder.residual"));
  QVERIFY(comparison.options[0].deciding && !comparison.options[1].deciding);
  QCOMPARE(comparison.options[1].key, std::string("seed"));
  QVERIFY(comparison.options[0].values[2] == Json("admin"));
  // A run that lacks an option differs in it.
  auto runs = fourRuns();
  runs[1].options.erase("model.width");
  const RunComparison lacking = compareRuns(runs, {}, {});
  QCOMPARE(lacking.options[1].key, std::string("model.width"));
  QVERIFY(lacking.options[1].values[1].is_null() && lacking.options[1].values[0] == Json(64));
}

void RunComparisonTest::bestAndDifferences() {
  const RunComparison comparison = compareRuns(fourRuns(), {kBleu, kNll, kRate}, {.base = 1});
  QCOMPARE(comparison.base, std::size_t{1});
  const ComparedScore& bleu = scoreOf(comparison, "valid.bleu");
  QCOMPARE(bleu.best, (std::vector<bool>{false, false, true, false}));
  QVERIFY(std::isnan(bleu.differences[1]));
  QCOMPARE(bleu.differences[0], -2.0);
  QCOMPARE(bleu.differences[2], 4.0);
  QVERIFY(!bleu.tests[2]);  // one run against one
  QCOMPARE(scoreOf(comparison, "valid.nll").best, (std::vector<bool>{false, false, false, true}));
  // What is not compared has no best.
  QCOMPARE(scoreOf(comparison, "lr").best, (std::vector<bool>{false, false, false, false}));
  const RunComparison best = compareRuns(fourRuns(), {kBleu}, {.best = true});
  QCOMPARE(scoreOf(best, "valid.bleu").values[2].mean, 27.0);
}

void RunComparisonTest::failedRunsAreNeverBest() {
  auto runs = fourRuns();
  runs[2].failed = true;
  const RunComparison comparison = compareRuns(runs, {kBleu}, {});
  const ComparedScore& bleu = comparison.scores.front();
  QCOMPARE(bleu.values[2].mean, 26.0);  // it is shown
  QCOMPARE(bleu.best, (std::vector<bool>{false, false, false, true}));
  runs[0].last.erase("valid.bleu");
  runs[0].best.erase("valid.bleu");
  const RunComparison lacking = compareRuns(runs, {kBleu}, {});
  QVERIFY(std::isnan(lacking.scores[0].values[0].mean) && std::isnan(lacking.scores[0].differences[1]));
  QVERIFY(compareRuns(runs, {Metric{.id = "nobody.has.it"}}, {}).scores.empty());
}

void RunComparisonTest::equalRunsHaveNoBest() {
  auto runs = fourRuns();
  for (RunFacts& run : runs) run.last["valid.bleu"] = 7;
  QCOMPARE(compareRuns(runs, {kBleu}, {}).scores[0].best, (std::vector<bool>(4, false)));
  runs[0].last["valid.bleu"] = 6;
  QCOMPARE(compareRuns(runs, {kBleu}, {}).scores[0].best, (std::vector<bool>{false, true, true, true}));
}

void RunComparisonTest::seedsStandTogether() {
  const CompareRequest request{.base = 3, .groups = {"a", "a", "b", "b"}};
  const RunComparison comparison = compareRuns(fourRuns(), {kBleu}, request);
  QCOMPARE(comparison.columns.size(), std::size_t{2});
  QCOMPARE(comparison.base, std::size_t{1});
  QCOMPARE(comparison.columns[0].name, std::string("post"));
  QCOMPARE(comparison.columns[1].runs, (std::vector<std::size_t>{2, 3}));
  // The seed differs inside of the columns only.
  QCOMPARE(comparison.options.size(), std::size_t{1});
  const ComparedScore& bleu = comparison.scores.front();
  QCOMPARE(bleu.values[0].mean, 21.0);
  QVERIFY(std::abs(bleu.values[0].deviation - std::sqrt(2.0)) < 1e-12);
  QCOMPARE(bleu.differences[0], -4.5);
  QVERIFY(bleu.tests[0].has_value() && !bleu.tests[1].has_value());
  // Welch: (21 - 25.5) / sqrt(2/2 + 0.5/2).
  QVERIFY(std::abs(bleu.tests[0]->t - -4.5 / std::sqrt(1.25)) < 1e-12);
  auto failed = fourRuns();
  failed[0].failed = true;
  const RunComparison one = compareRuns(failed, {kBleu}, request);
  QCOMPARE(one.scores[0].values[0].mean, 22.0);
  QCOMPARE(one.scores[0].values[0].failed(), 1);
  QVERIFY(!one.scores[0].tests[0]);
}

void RunComparisonTest::tableForAPaper() {
  const PaperTable alone =
      comparisonPaperTable(compareRuns(fourRuns(), {kBleu, kNll, kRate}, {}), {"Residual <scheme>"});
  std::vector<std::string> heads;
  for (const TableColumn& column : alone.columns) heads.push_back(column.header);
  // The learning rate is not compared and left out; the seed does not decide.
  QCOMPARE(heads,
           (std::vector<std::string>{"Run", "Residual &lt;scheme&gt;", "BLEU", "nll", "&Delta; BLEU"}));
  QVERIFY(alone.columns[2].best == TableColumn::Best::Highest &&
          alone.columns[3].best == TableColumn::Best::Lowest);
  QCOMPARE(alone.rows.size(), std::size_t{4});
  QCOMPARE(std::get<std::string>(alone.rows[0][4]), std::string("–"));
  QCOMPARE(std::get<std::string>(alone.rows[2][4]), std::string("+6.00"));
  QCOMPARE(std::get<double>(alone.rows[2][2]), 26.0);
  const PaperTable seeds =
      comparisonPaperTable(compareRuns(fourRuns(), {kBleu}, {.groups = {"a", "a", "b", "b"}}));
  QCOMPARE(seeds.columns.size(), std::size_t{6});
  QVERIFY(std::holds_alternative<SeedSummary>(seeds.rows[1][2]));
  QCOMPARE(std::get<std::string>(seeds.rows[1][3]), std::string("+4.50"));
  for (const auto& row : seeds.rows) QCOMPARE(row.size(), seeds.columns.size());
}

void RunComparisonTest::differencesAtCommonUpdates() {
  TrainingCurveResult curves;
  curves.curves = {curveOf("base", {10, 20, 30}, {3, 2, 1}), curveOf("a", {10, 30, 40}, {4, 1.5, 0}),
                   curveOf("b", {10, 20, 30}, {2, std::nan(""), 1})};
  const auto result = differenceCurves(curves, 0);
  QVERIFY(result.ok());
  QCOMPARE(result->base, std::string("base"));
  QCOMPARE(result->curves.size(), std::size_t{2});
  QCOMPARE(result->curves[0].x, (std::vector<double>{10, 30}));
  QCOMPARE(result->curves[0].value, (std::vector<double>{1, 0.5}));
  QVERIFY(result->curves[0].lower.empty());
  QCOMPARE(result->curves[1].x, (std::vector<double>{10, 30}));
  QCOMPARE(result->curves[1].value, (std::vector<double>{-1, 0}));
}

// ± the root of the sum of both squared standard errors.
void RunComparisonTest::differencesOfMeansHaveABand() {
  std::vector<RunCurve> runs;
  for (const auto& [name, group, value] :
       {std::tuple("base 1", "a", 1.0), {"base 2", "a", 3.0}, {"new 1", "b", 6.0}, {"new 2", "b", 12.0}}) {
    RunCurve run;
    run.run = run.name = name;
    run.group = group;
    run.steps = {10, 20};
    run.seconds = run.epochs = {0, 1};
    run.values = {value, value + 1};
    runs.push_back(run);
  }
  TrainingCurveRequest request;
  request.groupSeeds = true;
  request.band = CurveBand::StandardError;
  const auto result = differenceCurves(computeTrainingCurve(runs, request), 0);
  QVERIFY(result.ok());
  const DifferenceCurve& curve = result->curves.at(0);
  QCOMPARE(curve.value, (std::vector<double>{7, 7}));
  // Standard errors 1 and 3.
  QVERIFY(std::abs(curve.upper[0] - (7 + std::sqrt(10.0))) < 1e-12);
  QVERIFY(std::abs(curve.lower[1] - (7 - std::sqrt(10.0))) < 1e-12);
}

void RunComparisonTest::nothingInCommonIsAnError() {
  TrainingCurveResult curves;
  curves.request.metric = "valid.nll";
  curves.curves = {curveOf("base", {10, 20}, {3, 2}), curveOf("a", {15, 25}, {4, 1.5}),
                   curveOf("b", {10}, {1})};
  const auto result = differenceCurves(curves, 0);
  QVERIFY(result.ok());
  QCOMPARE(result->curves.size(), std::size_t{1});
  QCOMPARE(result->notes.back().english(), std::string("no update in common with base: a"));
  curves.curves.pop_back();
  const auto none = differenceCurves(curves, 0);
  QVERIFY(!none.ok());
  QVERIFY2(none.error().text().find("valid.nll") != std::string::npos, none.error().text().c_str());
}

QTEST_GUILESS_MAIN(RunComparisonTest)
#include "tst_run_comparison.moc"
