// SPDX-License-Identifier: Apache-2.0
// Presets that are grids: how they are read, changed with --over, expanded, and what stands beside their
// table.
#include <QTest>
#include <cmath>

#include "core/analysis/training/grid_preset.h"
#include "core/record/presets.h"

namespace fathom {

namespace {

constexpr const char* kGrid = R"({
  "axes": [
    {"key": "scheme", "title": "Scheme", "values": [
      {"name": "Post-LN", "options": {"residual": "post_ln", "warmup": 10}},
      {"name": "DT-Fixup", "options": {"residual": "unnormalised", "warmup": 0}}]},
    {"key": "layers", "values": [4, 16]},
    {"key": "seed", "values": [1, 2]}],
  "metrics": ["score"],
  "published": [
    {"metric": "score", "source": "A paper, Table 1", "rows": [
      {"values": {"scheme": "Post-LN", "layers": "16"}, "runs": 5, "failed": 5},
      {"values": {"scheme": "DT-Fixup"}, "mean": 73.5, "sd": 0.52, "runs": 5}]},
    {"metric": "other", "source": "Another", "rows": [{"values": {}, "mean": 1}]}]})";

GridPreset preset() {
  return gridPresetFromJson(parseJson(kGrid).value(), "p").value();
}

Metric score() {
  return {.id = "score",
          .title = "a score",
          .shortTitle = "score",
          .direction = MetricDirection::Higher,
          .decimals = 1};
}

std::string messageOf(const Status& status) {
  return status.ok() ? std::string() : status.error().message;
}

}  // namespace

class GridPresetTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void isReadAndExpanded();
  void isRecordedWhole();
  void overTakesValuesAndNames();
  void published();
  void damaged();
  void shipped();
  void bases();
};

void GridPresetTest::isReadAndExpanded() {
  const GridPreset grid = preset();
  QCOMPARE(grid.axes.size(), std::size_t{3});
  QVERIFY(grid.axes[0].isSettings() && !grid.axes[1].isSettings() && grid.axes[2].isSeed());
  const auto points = expandGrid(grid.axes).value();
  QCOMPARE(points.size(), std::size_t{8});
  const std::vector<std::pair<std::string, Json>> options = {
      {"residual", "unnormalised"}, {"warmup", 0}, {"layers", 4}, {"seed", 2}};
  QCOMPARE(points[5].options, options);
  QCOMPARE(axisValueText(points[5].values[0]), std::string("DT-Fixup"));
  QVERIFY(gridPresetFromJson(Json(), "p")->axes.empty());
}

void GridPresetTest::isRecordedWhole() {
  const auto axes = preset().axes;
  const auto again = gridAxesFromJson(gridAxesToJson(axes));
  QCOMPARE(again.size(), axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    QCOMPARE(again[i].key, axes[i].key);
    QCOMPARE(again[i].title, axes[i].title);
    QCOMPARE(again[i].values, axes[i].values);
  }
}

void GridPresetTest::overTakesValuesAndNames() {
  auto axes = preset().axes;
  QVERIFY(overAxis(axes, "layers=8").ok());
  QVERIFY(overAxis(axes, "scheme=dt-fixup").ok());
  QVERIFY(overAxis(axes, "rate=1,2").ok());
  QCOMPARE(axes.size(), std::size_t{4});
  QCOMPARE(axes[0].values.size(), std::size_t{1});
  QCOMPARE(axisValueText(axes[0].values[0]), std::string("DT-Fixup"));
  QCOMPARE(axes[0].title, std::string("Scheme"));
  QCOMPARE(axes[1].values, (std::vector<Json>{"8"}));
  QCOMPARE(axes[2].key, std::string("rate"));  // in front of the seeds, which stay together
  QVERIFY(axes[3].isSeed());
  QCOMPARE(messageOf(overAxis(axes, "scheme=Admin")), std::string("the axis scheme has no setting 'Admin'"));
  std::vector<GridAxis> none;
  QVERIFY(overAxis(none, "seed=1,2").ok() && overAxis(none, "layers=4").ok());
  QCOMPARE(none[0].key, std::string("layers"));
  QCOMPARE(messageOf(overAxis(none, "nonsense")), std::string("'nonsense' is no axis of a grid"));
}

void GridPresetTest::published() {
  const GridPreset grid = preset();
  std::vector<std::string> runs;
  std::vector<RunFacts> facts;
  for (int i = 0; i < 8; ++i) {
    runs.push_back("r" + std::to_string(i));
    RunFacts run;
    run.run = runs.back();
    run.last["score"] = 20 + i;
    run.failed = i == 2;
    facts.push_back(run);
  }
  GridTable table = gridTable(grid.axes, runs, facts, {score()});
  addPublished(table, grid.published);
  QCOMPARE(table.published.size(), std::size_t{1});  // the other metric is not in the table
  QCOMPARE(table.titles, (std::vector<std::string>{"Scheme", ""}));
  QVERIFY(table.publishedOf(table.lines[0], 0) == nullptr);
  QCOMPARE(table.publishedOf(table.lines[1], 0)->failed(), 5);
  QVERIFY(std::isnan(table.publishedOf(table.lines[1], 0)->mean));
  QCOMPARE(table.publishedOf(table.lines[3], 0)->mean, 73.5);
  QCOMPARE(table.lines[1].cells[0].summary.failed(), 1);
  const PaperTable paper = gridPaperTable(table);
  QCOMPARE(paper.columns.size(), std::size_t{4});
  QCOMPARE(paper.columns[0].header, std::string("Scheme"));
  QCOMPARE(paper.columns[3].header, std::string("A paper, Table 1"));
  for (const auto& row : paper.rows) QCOMPARE(row.size(), std::size_t{4});
  QCOMPARE(paper.columns[3].decimals, 2);  // as published; the metric has one
  QCOMPARE(std::get<std::string>(paper.rows[0][3]), std::string());
  QCOMPARE(std::get<SeedSummary>(paper.rows[2][3]).deviation, 0.52);
  // A table of other lines has no such column.
  GridTable others = gridTable({{"layers", {4}}}, {"r0"}, facts, {score()});
  addPublished(others, {grid.published[0]});
  QVERIFY(others.published.empty());
}

void GridPresetTest::damaged() {
  for (const char* text : {"3", "{}", R"({"axes":[{"key":"a"}]})", R"({"axes":[{"values":[1]}]})",
                           R"({"axes":[],"published":[{"metric":"m"}]})", R"({"axes":[],"metrics":7})"}) {
    const auto grid = gridPresetFromJson(parseJson(text).value(), "p");
    QVERIFY2(!grid.ok() && grid.error().message.find("malformed") != std::string::npos, text);
  }
}

void GridPresetTest::shipped() {
  const auto runsOf = [](const char* id) {
    const Preset found = findPreset(id).value();
    return expandGrid(gridPresetFromJson(found.grid, id).value().axes).value().size();
  };
  QCOMPARE(runsOf("sql_sp_depth"), std::size_t{4 * 3 * 2});
  QCOMPARE(runsOf("dt_fixup_table_5"), std::size_t{2 * 6 * 5});
  QCOMPARE(runsOf("dt_fixup_table_7"), std::size_t{3 * 5});
  QCOMPARE(runsOf("realformer_table_5"), std::size_t{3});
  QCOMPARE(runsOf("realformer_table_6"), std::size_t{3 * 3});
  QCOMPARE(runsOf("realformer_figure_3"), std::size_t{3 * 2});
  for (const char* id : {"realformer_table_5", "realformer_table_6", "realformer_figure_3"})
    QCOMPARE(runsOf((std::string(id) + "_quick").c_str()), runsOf(id));
  // Every published row is one of the grid's.
  for (const Preset& one : presets()) {
    const GridPreset grid = gridPresetFromJson(one.grid, one.id).value();
    if (grid.axes.empty()) continue;
    const auto points = expandGrid(grid.axes).value();
    std::vector<std::string> runs(points.size(), "r");
    GridTable table = gridTable(grid.axes, runs, {}, {score()});
    for (PublishedColumn column : grid.published) {
      column.metric = "score";
      table.published.push_back(column);
      std::size_t met = 0;
      for (const GridLine& line : table.lines)
        met += table.publishedOf(line, table.published.size() - 1) != nullptr ? 1 : 0;
      QCOMPARE(met, column.rows.size());
    }
  }
}

void GridPresetTest::bases() {
  const Preset table = findPreset("dt_fixup_table_7").value(), paper = findPreset("sql_sp_paper").value();
  QVERIFY(table.options["extra.layers"] == 8);
  Json rest = table.options;
  rest["extra.layers"] = paper.options["extra.layers"];
  QVERIFY(rest == paper.options);
  QCOMPARE(findPreset("sql_sp_released")->vocabulary, std::int64_t{50265});
  const char* unknown =
      R"({"format":1,"id":"x","title":"","description":"","base":"sql_sp_papers","options":{}})";
  QCOMPARE(presetFromJson(parseJson(unknown).value(), "x.json").error().message,
           std::string("there is no preset 'sql_sp_papers'"));
  const char* chain = R"({"format":1,"id":"x","title":"","description":"","base":"dt_fixup_table_5"})";
  QVERIFY(!presetFromJson(parseJson(chain).value(), "x.json").ok());
}

}  // namespace fathom

using fathom::GridPresetTest;
QTEST_GUILESS_MAIN(GridPresetTest)
#include "tst_grid_preset.moc"
