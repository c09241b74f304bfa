// SPDX-License-Identifier: Apache-2.0
// The best median of a search, and tests between two groups of seeds.
#include <QTest>
#include <cmath>

#include "core/analysis/training/grid_selection.h"

using namespace fathom;

namespace {

const double kFailed = std::nan("");

// Scheme x rate x seed with these scores, NaN failed.
GridTable tableOf(const std::vector<double>& scores, MetricDirection direction = MetricDirection::Higher) {
  const std::vector<GridAxis> axes = {{"scheme", {Json{{"name", "A"}}, Json{{"name", "B"}}}, "Scheme"},
                                      {"rate", {1, 2}},
                                      {"seed", {1, 2, 3}}};
  std::vector<std::string> runs;
  std::vector<RunFacts> facts;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    runs.push_back("r" + std::to_string(i));
    RunFacts run;
    run.run = runs.back();
    run.failed = std::isnan(scores[i]);
    if (!run.failed) run.last["score"] = scores[i];
    facts.push_back(run);
  }
  Metric metric;
  metric.id = metric.title = metric.shortTitle = "score";
  metric.direction = direction;
  metric.decimals = 1;
  return gridTable(axes, runs, facts, {metric});
}

}  // namespace

class GridSelectionTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // A: medians 5 and 6; B: 9 and 8, one run of the first failed.
  void bestMedians() {
    const GridTable table = tableOf({1, 5, 9, 6, 6.5, 2, 9, kFailed, 9, 8, 8, 100});
    const GridSelection selection = selectBest(table, {}).value();
    QCOMPARE(selection.by, std::vector<std::string>{"scheme"});
    QCOMPARE(selection.choices.size(), std::size_t{2});
    QCOMPARE(table.lines[selection.choices[0].line].values, (std::vector<std::string>{"A", "2"}));
    QCOMPARE(selection.choices[0].medians, std::vector<double>{6});
    QCOMPARE(table.lines[selection.choices[1].line].values, (std::vector<std::string>{"B", "1"}));
    QCOMPARE(selection.choices[1].medians, std::vector<double>{9});
    QCOMPARE(table.lines[selection.choices[1].line].cells[0].summary.failed(), 1);
    QCOMPARE(selection.choices[1].settings, 2);
    QCOMPARE(selection.pairings.size(), std::size_t{1});
    const PaperTable paper = selectionPaperTable(table, selection);
    QCOMPARE(paper.rows.size(), std::size_t{2});
    QCOMPARE(cellValue(paper.rows[0][1]).value(), 6.0);
  }

  // A: means 5 and 4.83; B: 9 of the two that finished, and 38.7.
  void bestMeans() {
    const GridTable table = tableOf({1, 5, 9, 6, 6.5, 2, 9, kFailed, 9, 8, 8, 100});
    const GridSelection selection = selectBest(table, {}, SettingChoice::BestMean).value();
    QCOMPARE(selection.choices[0].medians, std::vector<double>{5});
    QCOMPARE(table.lines[selection.choices[1].line].values, (std::vector<std::string>{"B", "2"}));
    QCOMPARE(selection.choices[1].medians, std::vector<double>{116.0 / 3});
  }

  void lowerIsBetter() {
    const GridTable table = tableOf({1, 5, 9, 6, 6.5, 2, 9, 9, 9, 8, 8, 8}, MetricDirection::Lower);
    const GridSelection selection = selectBest(table, {"scheme"}).value();
    QCOMPARE(selection.choices[0].medians, std::vector<double>{5});
    QCOMPARE(selection.choices[1].medians, std::vector<double>{8});
  }

  void twoAxesAreRowsAndColumns() {
    const GridTable table = tableOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    const GridSelection selection = selectBest(table, {"rate", "scheme"}).value();
    const PaperTable paper = selectionPaperTable(table, selection);
    QCOMPARE(paper.columns.size(), std::size_t{3});
    QCOMPARE(paper.columns[2].header, std::string("B"));
    QCOMPARE(cellValue(paper.rows[1][2]).value(), 11.0);
    QCOMPARE(selection.pairings.size(), std::size_t{2});  // A against B at each rate
  }

  void wrongAxis() {
    const auto none = selectBest(tableOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), {"depth"});
    QVERIFY(!none.ok() && none.error().text().find("depth") != std::string::npos);
  }

  void welch() {
    const std::vector<double> a = {1, 2, 3, 4, 5}, b = {2, 4, 6, 8, 10, kFailed};
    const SeedComparison own = compareSeeds(a, b).value();
    QCOMPARE(own.second, 5);
    QCOMPARE(own.difference, 3.0);
    // Variances 2.5 and 10: t = 3 / sqrt(.5 + 2), degrees 2.5^2 / (.25/4 + 4/4).
    QVERIFY(std::abs(own.t - 3 / std::sqrt(2.5)) < 1e-12);
    QVERIFY(std::abs(own.freedom - 6.25 / 1.0625) < 1e-12);
    QVERIFY(own.pValue > 0.10 && own.pValue < 0.11);
    QVERIFY(own.low < own.difference && own.difference < own.high && own.low > -1 && own.high < 7);
    QCOMPARE(compareSeeds(a, b).value().low, own.low);
    QVERIFY(!compareSeeds(std::vector<double>{1}, b) &&
            !compareSeeds(std::vector<double>{1, 1}, std::vector<double>{2, 2}));
  }

  void medians() {
    QCOMPARE(medianOfSeeds(std::vector<double>{3, kFailed, 1}).value(), 2.0);
    QVERIFY(!medianOfSeeds(std::vector<double>{kFailed}));
  }
};

QTEST_APPLESS_MAIN(GridSelectionTest)
#include "tst_grid_selection.moc"
