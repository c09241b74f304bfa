// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QElapsedTimer>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <limits>

#include "views/panels/train/queue_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/config_diff_model.h"
#include "views/tables/grid_table_model.h"
#include "views/tables/log_model.h"
#include "views/tables/queue_model.h"
#include "views/tables/run_table_model.h"

using namespace fathom;

namespace {

RunItem makeRun(int i) {
  RunItem run;
  run.uuid = QStringLiteral("run-%1").arg(i);
  run.name = QStringLiteral("nmt %1L seed %2").arg(6 * (1 + i % 3)).arg(i);
  run.state = i % 5 == 0 ? RunState::Diverged : RunState::Finished;
  run.step = 100 * i;
  run.totalSteps = 100000;
  run.best["valid.bleu"] = i % 7 == 0 ? std::numeric_limits<double>::quiet_NaN() : 20 + i % 13;
  run.config = Json{{"model.layers", 6 * (1 + i % 3)}, {"seed", i}, {"model.width", 512}};
  return run;
}

// Three seeds of as many depths as the runs are enough for.
GridTable gridOf(const QVector<RunItem>& runs, const char* metric = "valid.bleu") {
  std::vector<GridAxis> axes = {{"model.layers", {6, 18}}, {"seed", {1, 2, 3}}};
  std::vector<std::string> uuids;
  std::vector<RunFacts> facts;
  for (const RunItem& run : runs) {
    uuids.push_back(run.uuid.toStdString());
    facts.push_back(factsOf(run));
  }
  return gridTable(axes, uuids, facts, {metricsOf(runs).of(metric)});
}

}  // namespace

class RunTablesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void modelsKeepTheContract();
  void rowsStayWhereTheyAre();
  void missingValuesComeLast();
  void filterWordsAndPatterns();
  void fiveHundredRunsStayFluid();
  void thousandsAreNamedElsewhere();
  void optionsAreKeptOnce();
  void configDifferences();
  void gridTable();
  void queueDropAsksAndMovesNothing();
  void deviceThatIsNotThereIsNotTicked();
  void logLines();
  void menuHasLinesBetweenGroups();
};

void RunTablesTest::modelsKeepTheContract() {
  RunTableModel runs;
  QAbstractItemModelTester testRuns(&runs, QAbstractItemModelTester::FailureReportingMode::QtTest);
  RunFilterModel filter;
  filter.setSourceModel(&runs);
  QAbstractItemModelTester testFilter(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
  QVector<RunItem> rows;
  for (int i = 0; i < 20; ++i) rows.append(makeRun(i));
  runs.setRuns(rows);
  runs.setMetricColumns({"valid.bleu"});
  runs.setConfigColumns({"model.layers"});
  filter.sort(RunTableModel::FixedColumns);
  filter.setFilter("seed");
  rows.removeAt(3);
  rows.append(makeRun(99));
  runs.setRuns(rows);
  runs.setRuns({});
  QCOMPARE(filter.rowCount(), 0);

  ConfigDiffModel diff;
  QAbstractItemModelTester testDiff(&diff, QAbstractItemModelTester::FailureReportingMode::QtTest);
  diff.setConfigs("a", Json{{"x", 1}}, "b", Json{{"x", 2}, {"y", 3}}, nullptr);
  QueueModel queue;
  QAbstractItemModelTester testQueue(&queue, QAbstractItemModelTester::FailureReportingMode::QtTest);
  queue.setRows({{"1", "first", "p", "cpu", "train", false}, {"2", "second", "p", "cpu", "resume", false}});
  LogModel log;
  QAbstractItemModelTester testLog(&log, QAbstractItemModelTester::FailureReportingMode::QtTest);
  log.append(QVector<LogLine>(LogModel::kLimit));
  log.append(QVector<LogLine>(10));
  QCOMPARE(log.rowCount(), LogModel::kLimit);
  GridTableModel grid;
  QAbstractItemModelTester testGrid(&grid, QAbstractItemModelTester::FailureReportingMode::QtTest);
  grid.setTable(gridOf({makeRun(1), makeRun(2)}), {});
}

void RunTablesTest::rowsStayWhereTheyAre() {
  RunTableModel model;
  model.setRuns({makeRun(1), makeRun(2), makeRun(3)});
  const QPersistentModelIndex second = model.index(1, RunTableModel::Name);
  QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  RunItem changed = makeRun(2);
  changed.name = "renamed";
  model.setRuns({changed, makeRun(3), makeRun(4)});
  QCOMPARE(resets.count(), 0);
  QCOMPARE(second.data().toString(), QStringLiteral("renamed"));
  QCOMPARE(second.row(), 0);
  QSignalSpy renames(&model, &RunTableModel::renameRequested);
  QVERIFY(model.setData(second, "other"));
  QCOMPARE(renames.count(), 1);
  QCOMPARE(second.data().toString(), QStringLiteral("renamed"));  // until the library says so
}

void RunTablesTest::missingValuesComeLast() {
  RunTableModel model;
  QVector<RunItem> rows;
  for (int i = 0; i < 15; ++i) rows.append(makeRun(i));
  model.setRuns(rows);
  model.setMetricColumns({"valid.bleu"});
  RunFilterModel filter;
  filter.setSourceModel(&model);
  const int column = RunTableModel::FixedColumns;
  for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
    filter.sort(column, order);
    for (int row = 12; row < 15; ++row)
      QCOMPARE(filter.index(row, column).data().toString(), QStringLiteral("NaN"));
    const double first = filter.index(0, column).data(RunTableModel::SortRole).toDouble();
    const double last = filter.index(11, column).data(RunTableModel::SortRole).toDouble();
    QVERIFY(order == Qt::AscendingOrder ? first < last : first > last);
  }
}

void RunTablesTest::filterWordsAndPatterns() {
  RunTableModel model;
  QVector<RunItem> rows;
  for (int i = 0; i < 30; ++i) rows.append(makeRun(i));
  rows[4].tags = {"paper"};
  model.setRuns(rows);
  RunFilterModel filter;
  filter.setSourceModel(&model);
  QVERIFY(filter.setFilter("model.layers=12 finished"));
  QCOMPARE(filter.rowCount(), 8);
  QVERIFY(filter.setFilter("PAPER"));
  QCOMPARE(filter.rowCount(), 1);
  // Words know nothing of the configuration, but of what stands in a column.
  QVERIFY(filter.setFilter("512"));
  QCOMPARE(filter.rowCount(), 0);
  QVERIFY(filter.setFilter("width"));
  QCOMPARE(filter.rowCount(), 0);
  model.setConfigColumns({"model.width"});
  QVERIFY(filter.setFilter("512"));
  QCOMPARE(filter.rowCount(), 30);
  // The end of a key will do; a number is that number, not a part of it.
  for (const char* text : {"layers=12", "layers:12", "model.layers:12.0"}) {
    QVERIFY(filter.setFilter(text));
    QCOMPARE(filter.rowCount(), 10);
  }
  for (const char* text : {"layers=1", "ayers=12", "=12", "dropout="}) {
    QVERIFY(filter.setFilter(text));
    QCOMPARE(filter.rowCount(), 0);
  }
  QVERIFY(filter.setFilter("/seed [12]$/"));
  QCOMPARE(filter.rowCount(), 2);
  QString problem;
  QVERIFY(!filter.setFilter("/seed [/", &problem));
  QVERIFY(!problem.isEmpty());
  QCOMPARE(filter.rowCount(), 2);
  QVERIFY(filter.setFilter(""));
  QCOMPARE(filter.rowCount(), 30);
}

void RunTablesTest::fiveHundredRunsStayFluid() {
  RunTableModel model;
  QVector<RunItem> rows;
  for (int i = 0; i < 500; ++i) {
    rows.append(makeRun(i));
    Json options = rows[i].config.toJson();
    for (int key = 0; key < 80; ++key) options["option." + std::to_string(key)] = key * i;
    rows[i].config = options;
  }
  model.setMetricColumns({"valid.bleu"});
  model.setRuns(rows);
  RunFilterModel filter;
  filter.setSourceModel(&model);
  filter.sort(RunTableModel::FixedColumns);
  QElapsedTimer clock;
  clock.start();
  for (int i = 0; i < 20; ++i) {
    RunItem live = rows[i];
    live.step += 1;
    model.updateRuns({live});
  }
  const qint64 updates = clock.restart();
  filter.setFilter("seed 4");
  const qint64 filtering = clock.elapsed();
  qInfo("20 live updates %lld ms, filter over 500 runs %lld ms", updates, filtering);
  QVERIFY(updates < 500);
  QVERIFY(filtering < 1000);
}

// Thousands of runs differ in few options.
// What tells ten thousand runs apart is worked out beside the window: they bear their own names until then.
void RunTablesTest::thousandsAreNamedElsewhere() {
  QVector<RunItem> runs;
  for (int i = 0; i < 10000; ++i) {
    runs.append(makeRun(i));
    runs.last().name = QStringLiteral("nmt with a long beginning %1").arg(i);
  }
  RunTableModel model;
  model.setRuns(runs);
  QCOMPARE(model.index(7, RunTableModel::Name).data().toString(), runs[7].name);
  runs.removeLast();
  model.setRuns(runs);  // while the others are being named
  QTRY_VERIFY_WITH_TIMEOUT(model.index(7, RunTableModel::Name).data().toString() != runs[7].name, 60000);
  QVERIFY(model.index(7, RunTableModel::Name).data().toString().endsWith(u'7'));
  // Few are named at once.
  model.setRuns({runs[0], runs[1]});
  QVERIFY(model.index(1, RunTableModel::Name).data().toString() != runs[1].name);
}

void RunTablesTest::optionsAreKeptOnce() {
  const Json options = {{"seed", 1}, {"data.train", "a.tsv"}, {"rate", 0.5}, {"name", "1"}};
  Json others = options;
  others["seed"] = 2;
  const SharedOptions first(options), again(options), other(others);
  QVERIFY(first.toJson() == options && other.toJson() == others);
  QVERIFY(first == again && !(first == other));
  QCOMPARE(first.all().size(), std::size_t{4});
  for (const char* key : {"data.train", "rate", "name"}) QVERIFY(first.find(key) == other.find(key));
  QVERIFY(first.find("seed") != other.find("seed"));
  QVERIFY(first.find("nothing") == nullptr);
  // A text is not the number it looks like.
  QVERIFY(SharedOptions(Json{{"k", "1"}}).find("k") != SharedOptions(Json{{"k", 1}}).find("k"));
  QVERIFY(SharedOptions(Json::array()).empty());
}

void RunTablesTest::configDifferences() {
  ConfigDiffModel model;
  model.setConfigs("a", Json{{"x", 1}, {"same", "s"}}, "b", Json{{"x", 2}, {"same", "s"}, {"new", true}},
                   nullptr);
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.differences(), 2);
  QCOMPARE(model.index(1, 1).data().toString(), QStringLiteral("–"));
  QCOMPARE(model.index(1, 2).data().toString(), QStringLiteral("true"));
  model.setOnlyDifferences(false);
  QCOMPARE(model.rowCount(), 3);
  // Paths without the folders that tell nothing, unless only those differ.
  const auto shown = [&model](int column) {
    return model.index(0, column).data().toString().remove(QChar(0x200B));
  };
  model.setConfigs("a", Json{{"file", "/home/one/data/train.tsv"}}, "b",
                   Json{{"file", "/home/one/data/valid.tsv"}}, nullptr);
  QCOMPARE(shown(1), QStringLiteral("…/data/train.tsv"));
  QCOMPARE(shown(2), QStringLiteral("…/data/valid.tsv"));
  model.setConfigs("a", Json{{"file", "/home/one/data/train.tsv"}}, "b",
                   Json{{"file", "/home/two/data/train.tsv"}}, nullptr);
  QCOMPARE(shown(1), QStringLiteral("/home/one/data/train.tsv"));
  QCOMPARE(shown(2), QStringLiteral("/home/two/data/train.tsv"));
  QCOMPARE(model.rowText(0), QStringLiteral("file\t/home/one/data/train.tsv\t/home/two/data/train.tsv"));
}

void RunTablesTest::gridTable() {
  QVector<RunItem> runs;
  const double bleu[] = {30, 32, 34, 20, 0, 26};
  for (int i = 0; i < 6; ++i) {
    RunItem run = makeRun(i);
    run.state = i == 4 ? RunState::Diverged : RunState::Finished;
    run.best["valid.bleu"] = 40;
    run.last["valid.bleu"] = bleu[i];
    runs.append(run);
  }
  GridTableModel model;
  model.setTable(gridOf(runs), {{"model.layers", "Layers_x"}});
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("32.00 ± 2.00"));
  // 6 and 18 layers stand below each other as their scores do.
  for (const int column : {0, 1}) {
    QVERIFY(model.index(0, column).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    QVERIFY(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
  }
  QCOMPARE(model.index(1, 1).data().toString(), QStringLiteral("23.00 ± 4.24, failed 1/3"));
  QVERIFY(model.index(0, 1).data(Qt::FontRole).value<QFont>().bold());
  QVERIFY(!model.index(1, 1).data(Qt::FontRole).isValid());
  const QString latex = model.asLatex();
  QVERIFY2(latex.contains(QStringLiteral("\\textbf{32.00} $\\pm$ 2.00 \\\\")), qPrintable(latex));
  QVERIFY2(latex.contains(QStringLiteral("18 & 23.00 $\\pm$ 4.24 (failed 1/3)")), qPrintable(latex));
  QVERIFY(latex.contains(QStringLiteral("Layers\\_x & BLEU")));
  QVERIFY2(model.asText().startsWith(
               "model.layers\tvalid.bleu mean\tvalid.bleu sd\tvalid.bleu failed\n6\t32\t2\t0/3\n"),
           qPrintable(model.asText()));
  // A metric that nobody has is nobody's failure.
  model.setTable(gridOf(runs, "valid.nothing"), {});
  QVERIFY(!model.index(0, 1).data().toString().contains(QStringLiteral("failed")));
  QVERIFY(model.index(1, 1).data().toString().contains(QStringLiteral("failed 1/3")));
  model.setTable(gridOf(runs, "valid.some_score"), {{"model.layers", "{a_b} & 50 % ^2 ~ \\x #1"}});
  const QString odd = model.asLatex();
  QVERIFY2(odd.contains("\\{a\\_b\\} \\& 50 \\%"), qPrintable(odd));
  QVERIFY2(odd.contains("\\#1 & valid.some\\_score"), qPrintable(odd));
  runs[5].state = RunState::Running;
  model.setTable(gridOf(runs), {});
  QCOMPARE(model.index(1, 1).data().toString(), QStringLiteral("20.00, failed 1/3, open 1/3"));
  QCOMPARE(model.finishedRuns(), 5);
}

void RunTablesTest::queueDropAsksAndMovesNothing() {
  QueueModel model;
  model.setRows({{"1", "a", "", "cpu", "train", false}, {"2", "b", "", "cpu", "train", false}});
  QSignalSpy moves(&model, &QueueModel::moveRequested);
  const std::unique_ptr<QMimeData> data(model.mimeData({model.index(1, 1)}));
  QVERIFY(!model.dropMimeData(data.get(), Qt::MoveAction, 0, 0, {}));
  QCOMPARE(moves.count(), 1);
  QCOMPARE(moves[0][0].toString(), QStringLiteral("2"));
  QCOMPARE(moves[0][1].toInt(), 0);
  QCOMPARE(model.rows()[0].id, QStringLiteral("1"));
}

// The status bar says "GPU none": no tick beside the queue says otherwise, whatever the settings say.
void RunTablesTest::deviceThatIsNotThereIsNotTicked() {
  QueueModel model;
  QueuePanel panel(&model);
  for (const QStringList& allowed : {QStringList(), QStringList{"cpu", "cuda:0"}}) {
    QueueSettingsView settings;
    settings.devices = allowed;
    panel.setSettings(settings);
    panel.setDevices({{"cpu", "CPU", "", true}, {"cuda:0", "GPU", "no driver", false}});
    const auto* gpu = panel.findChild<QCheckBox*>(QStringLiteral("cuda:0"));
    QVERIFY(gpu != nullptr && !gpu->isEnabled() && !gpu->isChecked());
    QVERIFY(gpu->toolTip().contains(QStringLiteral("no driver")));
    const auto* cpu = panel.findChild<QCheckBox*>(QStringLiteral("cpu"));
    QVERIFY(cpu->isEnabled() && cpu->isChecked());
  }
}

void RunTablesTest::logLines() {
  Event event;
  event.kind = "diverged";
  event.members = Json{{"cause", "no_learning"}, {"step", 300}, {"message", "Flat."}};
  const auto diverged = logLineOf(event);
  QVERIFY(diverged.has_value());
  QVERIFY(diverged->level == LogLine::Level::Error);
  QVERIFY(diverged->text.contains("300"));
  event.kind = "step";
  QVERIFY(!logLineOf(event).has_value());
  event.kind = "validation";
  event.members = Json{{"step", 10}};
  event.scalars = {{"valid.bleu", 12.5}, {"valid.nll", std::numeric_limits<double>::quiet_NaN()}};
  QVERIFY(logLineOf(event)->text.contains("NaN"));
  LogModel log;
  log.append({*diverged, *logLineOf(event)});
  LogFilterModel filter;
  filter.setSourceModel(&log);
  filter.setMinimumLevel(LogLine::Level::Warning);
  QCOMPARE(filter.rowCount(), 1);
  filter.setMinimumLevel(LogLine::Level::Info);
  filter.setText("bleu");
  QCOMPARE(filter.rowCount(), 1);
}

void RunTablesTest::menuHasLinesBetweenGroups() {
  RunTableModel model;
  RunTablePanel panel(&model);
  QAction first(QStringLiteral("first")), last(QStringLiteral("last"));
  panel.setActions({&first, nullptr, &last}, {});
  panel.show();
  int separators = 0, actions = 0;
  static int warnings;
  warnings = 0;
  const QtMessageHandler before =
      qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) {
        warnings += text.contains("null action");
      });
  QTimer::singleShot(100, &panel, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (menu == nullptr) return;
    for (const QAction* action : menu->actions()) (action->isSeparator() ? separators : actions) += 1;
    menu->close();
  });
  auto* table = panel.findChild<QTableView*>();
  Q_EMIT table->customContextMenuRequested(QPoint(5, 5));
  qInstallMessageHandler(before);
  QCOMPARE(actions, 2 + 3);  // eyes come first
  QCOMPARE(separators, 1 + 1);
  QCOMPARE(warnings, 0);
}

QTEST_MAIN(RunTablesTest)
#include "tst_run_tables.moc"
