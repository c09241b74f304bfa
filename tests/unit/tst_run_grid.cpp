// SPDX-License-Identifier: Apache-2.0
// How a grid is spelled, recorded and expanded, and what its table says.
#include <QTest>
#include <cmath>

#include "core/analysis/training/run_grid.h"

namespace fathom {

namespace {

constexpr double kNone = -1e300;  // a run that has ended without the metric

RunFacts facts(const std::string& run, double value, const char* metric = "score") {
  RunFacts facts;
  facts.run = run;
  if (value != kNone) facts.last[metric] = value;
  return facts;
}

Metric metric(MetricDirection direction, int decimals = 2) {
  return {
      .id = "score", .title = "a score", .shortTitle = "score", .direction = direction, .decimals = decimals};
}

// One setting a value, one run each.
GridTable tableOf(const std::vector<double>& values, const Metric& about) {
  GridAxis axis{"layers", {}};
  std::vector<std::string> runs;
  std::vector<RunFacts> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    axis.values.emplace_back(std::to_string(i));
    runs.push_back("run" + std::to_string(i));
    all.push_back(facts(runs.back(), values[i]));
  }
  return gridTable({axis}, runs, all, {about});
}

std::string bestLines(const GridTable& table) {
  std::string lines;
  for (const GridLine& line : table.lines)
    if (line.cells.front().best) lines += (lines.empty() ? "" : " ") + line.values.front();
  return lines;
}

}  // namespace

class RunGridTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void axesAreSpelled();
  void axesAreRecorded();
  void combinations();
  void tooManyOrNone();
  void whatBecameOfTheRuns();
  void verdictsBeside();
  void bestIsWhatIsPrinted();
  void digits();
  void paperTable();
  void plainTextAsMarkup();
};

void RunGridTest::axesAreSpelled() {
  const GridAxis axis = parseGridAxis("encoder.layers+decoder.layers=6,18").value();
  QCOMPARE(axis.key, std::string("encoder.layers+decoder.layers"));
  QCOMPARE(axis.values, (std::vector<Json>{"6", "18"}));
  QVERIFY(!axis.isSeed() && parseGridAxis("seed=1,2")->isSeed());
  QVERIFY(!parseGridAxis("data.split_seed=1")->isSeed());
  QCOMPARE(parseGridAxis("note=a=b,c")->values, (std::vector<Json>{"a=b", "c"}));
  for (const char* text : {"", "seed", "=1", "seed="})
    QVERIFY2(parseGridAxis(text).error().message.find("is no axis of a grid") != std::string::npos, text);
  QCOMPARE(parseGridAxis("seed=1,2,1").error().message, std::string("the axis seed has the value '1' twice"));
}

// The shell records texts, the window values; both are read again, and so is what is damaged.
void RunGridTest::axesAreRecorded() {
  const std::vector<GridAxis> axes = {{"a", {"1", "x"}}, {"b", {1, true, "y", 0.5}}};
  const Json json = gridAxesToJson(axes);
  QCOMPARE(json.dump(),
           std::string(R"([{"key":"a","values":["1","x"]},{"key":"b","values":[1,true,"y",0.5]}])"));
  const auto again = gridAxesFromJson(json);
  QCOMPARE(again.size(), std::size_t{2});
  QCOMPARE(again[1].values, axes[1].values);
  QCOMPARE(axisValueText(again[0].values[1]), std::string("x"));
  QCOMPARE(axisValueText(again[1].values[1]), std::string("true"));
  for (const char* damaged : {"null", "3", "[3]", R"([{"key":"a"}])", R"([{"key":"a","values":7}])"})
    QVERIFY2(gridAxesFromJson(parseJson(damaged).value()).empty(), damaged);
}

void RunGridTest::combinations() {
  const auto points =
      expandGrid({{"scheme", {"post_ln", "admin"}}, {"e.layers+d.layers", {6, 18}}, {"seed", {1, 2}}})
          .value();
  QCOMPARE(points.size(), std::size_t{8});
  QCOMPARE(points[0].values, (std::vector<Json>{"post_ln", 6, 1}));
  QCOMPARE(points[1].values, (std::vector<Json>{"post_ln", 6, 2}));
  QCOMPARE(points[2].values, (std::vector<Json>{"post_ln", 18, 1}));
  QCOMPARE(points[7].values, (std::vector<Json>{"admin", 18, 2}));
  const std::vector<std::pair<std::string, Json>> options = {
      {"scheme", "post_ln"}, {"e.layers", 18}, {"d.layers", 18}, {"seed", 1}};
  QCOMPARE(points[2].options, options);
}

void RunGridTest::tooManyOrNone() {
  QVERIFY(!expandGrid({}).ok());
  GridAxis hundred{"x", {}};
  for (int i = 0; i < 100; ++i) hundred.values.emplace_back(i);
  QCOMPARE(expandGrid({hundred, hundred})->size(), kMostGridRuns);
  const auto error = expandGrid({hundred, hundred, hundred}).error();
  QCOMPARE(error.message, std::string("the grid has 1000000 runs"));
  QVERIFY(!expandGrid(std::vector<GridAxis>(50, hundred)).ok());
}

void RunGridTest::whatBecameOfTheRuns() {
  const std::vector<GridAxis> axes = {{"seed", {1, 2, 3, 4, 5}}, {"layers", {6, 18}}};
  std::vector<std::string> runs;
  for (int i = 0; i < 10; ++i) runs.push_back("r" + std::to_string(i));
  std::vector<RunFacts> all;
  // With 6 layers: 30, 32, failed, without the metric, at work. With 18: 20, deleted, waits, failed, failed.
  for (const int i : {0, 2, 4, 6, 8, 1, 7, 9}) all.push_back(facts(runs[static_cast<std::size_t>(i)], kNone));
  all[0].last["score"] = 30;
  all[1].last["score"] = 32;
  all[2].failed = all[6].failed = all[7].failed = true;
  all[2].last["score"] = 99;
  all[4].open = true;
  all[4].last["score"] = 99;
  all[5].last["score"] = 20;
  runs[3].clear();
  const GridTable table = gridTable(axes, runs, all, {metric(MetricDirection::Higher)});
  QCOMPARE(table.keys, std::vector<std::string>{"layers"});
  QCOMPARE(table.lines.size(), std::size_t{2});
  const GridLine &six = table.lines[0], &eighteen = table.lines[1];
  QCOMPARE(six.values, std::vector<std::string>{"6"});
  QCOMPARE(six.runs, (std::vector<std::string>{"r0", "r2", "r4", "r6", "r8"}));
  QCOMPARE(six.open, 1);
  QCOMPARE(six.cells[0].without, 1);
  QCOMPARE(six.cells[0].summary.runs, 3);
  QCOMPARE(six.cells[0].summary.failed(), 1);
  QCOMPARE(six.cells[0].summary.mean, 31.0);
  QCOMPARE(eighteen.runs, (std::vector<std::string>{"r1", "r5", "r7", "r9"}));
  QCOMPARE(eighteen.open, 1);
  QCOMPARE(eighteen.cells[0].summary.failed(), 2);
  QCOMPARE(eighteen.cells[0].summary.mean, 20.0);
  QVERIFY(six.cells[0].best && !eighteen.cells[0].best);
  QCOMPARE(gridMetrics(all), std::vector<std::string>{"score"});
  // Everything deleted: no line is left.
  QVERIFY(gridTable(axes, std::vector<std::string>(10), {}, {metric(MetricDirection::Higher)}).lines.empty());
}

// A verdict of any seed is that of the line; without one there is no column.
void RunGridTest::verdictsBeside() {
  const std::vector<GridAxis> axes = {{"layers", {6, 18}}, {"seed", {1, 2}}};
  GridTable table = gridTable(axes, {"a", "b", "c", "d"}, {}, {metric(MetricDirection::Higher)});
  const std::size_t columns = gridPaperTable(table).columns.size();
  addVerdicts(table, {{"x", "green"}});
  QVERIFY(!table.hasVerdicts() && gridPaperTable(table).columns.size() == columns);
  addVerdicts(table, {{"d", "will_probably_not_learn"}, {"x", "green"}});
  QVERIFY(table.hasVerdicts() && table.lines[0].trainability.empty());
  const PaperTable paper = gridPaperTable(table);
  QCOMPARE(paper.columns.size(), columns + 1);
  QCOMPARE(std::get<std::string>(paper.rows[0].back()), std::string());
  QCOMPARE(std::get<std::string>(paper.rows[1].back()), std::string("will probably not learn"));
}

void RunGridTest::bestIsWhatIsPrinted() {
  const double nan = std::nan("");
  QCOMPARE(bestLines(tableOf({1, 3, 2}, metric(MetricDirection::Higher))), std::string("1"));
  QCOMPARE(bestLines(tableOf({1, 3, 2}, metric(MetricDirection::Lower))), std::string("0"));
  QCOMPARE(bestLines(tableOf({1, 3, 2}, metric(MetricDirection::None))), std::string());
  QCOMPARE(bestLines(tableOf({27.312, 27.308, 27.2}, metric(MetricDirection::Higher))), std::string("0 1"));
  QCOMPARE(bestLines(tableOf({27.312, 27.308}, metric(MetricDirection::Higher, 3))), std::string("0"));
  QCOMPARE(bestLines(tableOf({nan, kNone, -4}, metric(MetricDirection::Higher))), std::string("2"));
  QCOMPARE(bestLines(tableOf({nan, kNone}, metric(MetricDirection::Lower))), std::string());
}

void RunGridTest::digits() {
  const auto decimals = [](double value) {
    return tableOf({value, value / 7}, metric(MetricDirection::Lower, -1)).metrics.front().decimals;
  };
  QCOMPARE(decimals(4321), 0);
  QCOMPARE(decimals(-43.21), 1);
  QCOMPARE(decimals(4.321), 2);
  QCOMPARE(decimals(0.4321), 3);
  QCOMPARE(tableOf({kNone}, metric(MetricDirection::Lower, -1)).metrics.front().decimals, 3);
  QCOMPARE(tableOf({4321}, metric(MetricDirection::Lower, 4)).metrics.front().decimals, 4);
  QCOMPARE(fixedText(2.0 / 3, 3), std::string("0.667"));
  QCOMPARE(fixedText(-1e300, 0).size(), std::size_t{302});
}

void RunGridTest::paperTable() {
  const GridTable table = tableOf({1, 3}, metric(MetricDirection::Lower, 1));
  const PaperTable paper = gridPaperTable(table);
  QCOMPARE(paper.columns[0].header, std::string("layers"));
  QCOMPARE(paper.columns[1].header, std::string("score"));
  QCOMPARE(paper.columns[1].decimals, 1);
  QVERIFY(paper.columns[0].best == TableColumn::Best::None &&
          paper.columns[1].best == TableColumn::Best::Lowest);
  QCOMPARE(bestPrint(paper, 1).value(), std::string("1.0"));
  QVERIFY(!bestPrint(paper, 0).has_value());
  QCOMPARE(std::get<std::string>(paper.rows[1][0]), std::string("1"));
  QCOMPARE(gridPaperTable(table, {"a < b"}).columns[0].header, std::string("a &lt; b"));
}

void RunGridTest::plainTextAsMarkup() {
  QCOMPARE(markupOf("a & b <i>c</i> \xC2\xB1"), std::string("a &amp; b &lt;i&gt;c&lt;/i&gt; \xC2\xB1"));
}

}  // namespace fathom

using fathom::RunGridTest;
QTEST_GUILESS_MAIN(RunGridTest)
#include "tst_run_grid.moc"
