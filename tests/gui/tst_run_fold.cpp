// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemModelTester>
#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "core/base/numbers/random_stream.h"
#include "views/panels/train/run_table_delegate.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/queue_rate.h"
#include "views/tables/run_eyes.h"
#include "views/tables/run_fold_model.h"
#include "views/tables/run_table_model.h"

using namespace fathom;

namespace {

RunItem seedOf(const char* scheme, int seed, double score) {
  RunItem run;
  run.uuid = QStringLiteral("%1-%2").arg(QLatin1String(scheme)).arg(seed);
  run.name = QStringLiteral("grid %1 seed %2").arg(QLatin1String(scheme)).arg(seed);
  run.grid = run.gridName = QStringLiteral("grid");
  run.gridValues = {QLatin1String(scheme), QStringLiteral("2 L"), QString::number(seed)};
  run.state = RunState::Finished;
  run.step = run.totalSteps = 600;
  run.durationSeconds = 10;
  run.created = QDateTime::fromSecsSinceEpoch(1'700'000'000 + 60 * seed, Qt::UTC);
  run.config = Json{{"scheme", scheme}, {"layers", 2}, {"seed", seed}};
  run.best[QStringLiteral("valid.bleu")] = score;
  return run;
}

// Three seeds of one scheme, two of another, and a run of no grid, the newest.
QVector<RunItem> madeGrid() {
  QVector<RunItem> runs = {seedOf("Post-LN", 1, 5.2), seedOf("Post-LN", 2, 5.3), seedOf("Post-LN", 3, 5.4),
                           seedOf("Admin", 1, 7), seedOf("Admin", 2, 8)};
  RunItem alone = seedOf("Post-LN", 9, 1);
  alone.grid.clear();
  alone.gridValues.clear();
  alone.uuid = alone.name = QStringLiteral("alone");
  alone.created = alone.created.addSecs(3600);
  runs.append(alone);
  return runs;
}

}  // namespace

// Runs of a grid that differ only in the seed are one row, which opens and folds.
class RunFoldTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void groupsTellMeanAndDeviation();
  void modelKeepsTheContract();
  void arrowKeysOpenAndFold();
  void clicksOpenAndFold();
  void groupIsSelectedWithItsRuns();
  void selectionFromOutsideFindsItsRow();
  void selectionLivesThroughFolding();
  void selectionLivesThroughNewSeeds();
  void aRunThatIsGoneIsTold();
  void theGroupIsPaintedWithItsRuns();
  void sortedByTheEyesWhileRowsGo();
  void spaceAndEyeActOnTheGroup();
  void foldingIsAChoice();
  void optionsAreOneClickAway();
  void liveRunTellsWhatIsLeft();
  void scoreStandsBesideTheName();
  void queueTellsItsRate();
  void queuedRunsSayWhenTheyBegin();

 private:
  QTableView* table() const { return m_panel->table(); }
  QAbstractItemModel* rows() const { return table()->model(); }
  QStringList names() const;
  QModelIndex cell(const QString& name, int column = RunTableModel::Name) const;
  std::unique_ptr<RunTableModel> m_model;
  std::unique_ptr<RunTablePanel> m_panel;
};

void RunFoldTest::init() {
  m_panel.reset();
  m_model = std::make_unique<RunTableModel>();
  m_panel = std::make_unique<RunTablePanel>(m_model.get());
  m_panel->resize(900, 400);
  m_panel->show();
  m_model->setRuns(madeGrid());
  m_panel->chooseMetrics({QStringLiteral("valid.bleu")});
}

QStringList RunFoldTest::names() const {
  QStringList names;
  for (int row = 0; row < rows()->rowCount(); ++row)
    names.append(rows()->index(row, RunTableModel::Name).data().toString());
  return names;
}

QModelIndex RunFoldTest::cell(const QString& name, int column) const {
  for (int row = 0; row < rows()->rowCount(); ++row)
    if (rows()->index(row, RunTableModel::Name).data().toString().startsWith(name))
      return rows()->index(row, column);
  return {};
}

void RunFoldTest::groupsTellMeanAndDeviation() {
  QCOMPARE(rows()->rowCount(), 3);
  QCOMPARE(cell("Post-LN").data().toString(), QStringLiteral("Post-LN · 2 L   n = 3"));
  QCOMPARE(cell("Post-LN", RunTableModel::FixedColumns).data().toString(), QStringLiteral("5.30 ± 0.10"));
  QCOMPARE(cell("Admin", RunTableModel::FixedColumns).data().toString(), QStringLiteral("7.50 ± 0.71"));
  QCOMPARE(cell("Post-LN", RunTableModel::State).data().toString(), QStringLiteral("finished"));
  QCOMPARE(cell("Post-LN", RunTableModel::Duration).data().toString(), QStringLiteral("0:30"));
  // A run without the score is counted, and one that goes wrong is seen.
  RunItem bad = seedOf("Post-LN", 3, 0);
  bad.best.clear();
  bad.state = RunState::Diverged;
  m_model->updateRuns({bad});
  QCOMPARE(cell("Post-LN", RunTableModel::FixedColumns).data().toString(),
           QStringLiteral("5.25 ± 0.07 (2/3)"));
  QVERIFY(cell("Post-LN", RunTableModel::State).data().toString().contains(QStringLiteral("2 finished")));
  QCOMPARE(cell("Post-LN", RunTableModel::State).data(RunTableModel::StateRole).toInt(),
           int(RunState::Diverged));
}

// Whatever comes, goes and changes, in any order: rows tell the runs that they stand for.
void RunFoldTest::modelKeepsTheContract() {
  auto* fold = qobject_cast<RunFoldModel*>(rows());
  const QAbstractItemModelTester tester(fold, QAbstractItemModelTester::FailureReportingMode::QtTest);
  RandomStream random(5);
  QVector<RunItem> pool;
  for (const char* scheme : {"a", "b", "c"})
    for (int seed = 1; seed <= 4; ++seed) pool.append(seedOf(scheme, seed, random.uniform()));
  for (int step = 0; step < 300; ++step) {
    RunItem& run = pool[static_cast<int>(random.uniform() * double(pool.size()))];
    switch (static_cast<int>(random.uniform() * 6)) {
      case 0:
        m_model->removeRuns({run.uuid});
        break;
      case 1:
        run.grid = run.grid.isEmpty() ? QStringLiteral("grid") : QString();
        m_model->updateRuns({run});
        break;
      case 2:
        fold->setOpen(static_cast<int>(random.uniform() * fold->rowCount()), random.uniform() < 0.5);
        break;
      case 3:
        table()->sortByColumn(static_cast<int>(random.uniform() * 8),
                              random.uniform() < 0.5 ? Qt::AscendingOrder : Qt::DescendingOrder);
        break;
      case 4:
        table()->selectRow(static_cast<int>(random.uniform() * fold->rowCount()));
        break;
      default:
        run.best[QStringLiteral("valid.bleu")] = random.uniform();
        m_model->updateRuns({run});
    }
    QSet<QString> seen;
    for (int row = 0; row < fold->rowCount(); ++row) {
      const bool group = fold->index(row, 0).data(RunFoldModel::GroupRole).toInt() > 0;
      for (const QString& uuid : fold->index(row, 0).data(RunTableModel::MembersRole).toStringList()) {
        QVERIFY(!group || !m_model->run(uuid)->grid.isEmpty());
        seen.insert(uuid);
      }
    }
    QCOMPARE(int(seen.size()), m_model->rowCount());  // none is lost
    for (const QString& uuid : m_panel->selectedRuns()) QVERIFY(m_model->run(uuid) != nullptr);
  }
}

void RunFoldTest::arrowKeysOpenAndFold() {
  table()->setCurrentIndex(cell("Admin"));
  QTest::keyClick(table(), Qt::Key_Right);
  QCOMPARE(rows()->rowCount(), 5);
  QCOMPARE(table()->currentIndex(), cell("Admin"));
  QTest::keyClick(table(), Qt::Key_Down);
  QVERIFY(table()->currentIndex().data(RunFoldModel::MemberRole).toBool());
  QTest::keyClick(table(), Qt::Key_Left);  // to the group, as in a tree
  QCOMPARE(table()->currentIndex(), cell("Admin"));
  QTest::keyClick(table(), Qt::Key_Left);
  QCOMPARE(rows()->rowCount(), 3);
  QSignalSpy activated(m_panel.get(), &RunTablePanel::activated);
  QTest::keyClick(table(), Qt::Key_Return);
  QCOMPARE(rows()->rowCount(), 5);
  QCOMPARE(activated.count(), 0);
}

void RunFoldTest::clicksOpenAndFold() {
  const auto arrow = [this] {
    return RunTableDelegate::arrowOf(table()->visualRect(cell("Post-LN"))).center();
  };
  QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, arrow());
  QCOMPARE(rows()->rowCount(), 6);
  QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, arrow());
  QCOMPARE(rows()->rowCount(), 3);
  QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(cell("Post-LN")).center());
  QCOMPARE(rows()->rowCount(), 6);
}

void RunFoldTest::groupIsSelectedWithItsRuns() {
  QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(cell("Admin")).center());
  QStringList chosen = m_panel->selectedRuns();
  chosen.sort();
  QCOMPARE(chosen, QStringList({"Admin-1", "Admin-2"}));
  QVERIFY(chosen.contains(m_panel->currentRun()));
  const std::unique_ptr<QMimeData> dragged(rows()->mimeData({cell("Admin")}));
  QCOMPARE(dragged->data(QLatin1String(RunTableModel::kMime)).split('\n').size(), 2);
}

void RunFoldTest::selectionFromOutsideFindsItsRow() {
  QSignalSpy told(m_panel.get(), &RunTablePanel::selectionChanged);
  m_panel->selectRuns({"Admin-1", "Admin-2"}, "Admin-2");
  QCOMPARE(rows()->rowCount(), 3);  // as a whole it stays folded
  QCOMPARE(table()->currentIndex(), cell("Admin"));
  m_panel->selectRuns({"Admin-2"}, "Admin-2");
  QCOMPARE(rows()->rowCount(), 5);
  QCOMPARE(m_panel->selectedRuns(), QStringList{"Admin-2"});
  QCOMPARE(told.count(), 0);  // nobody chose anything here
}

// What is folded away, filtered, sorted or joined by others stays selected; nobody chose anything.
void RunFoldTest::selectionLivesThroughFolding() {
  auto* fold = qobject_cast<RunFoldModel*>(rows());
  m_panel->selectRuns({"Admin-2"}, "Admin-2");
  QSignalSpy told(m_panel.get(), &RunTablePanel::selectionChanged);
  const auto click = [this] {
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                      RunTableDelegate::arrowOf(table()->visualRect(cell("Admin"))).center());
  };
  click();
  QCOMPARE(rows()->rowCount(), 3);
  QCOMPARE(m_panel->selectedRuns(), QStringList{"Admin-2"});
  QCOMPARE(m_panel->currentRun(), QStringLiteral("Admin-2"));
  QCOMPARE(table()->currentIndex(), cell("Admin"));
  QVERIFY(table()->selectionModel()->selectedRows().isEmpty());
  click();
  QCOMPARE(table()->selectionModel()->selectedRows(0).size(), 1);
  QVERIFY(table()->currentIndex().data(RunFoldModel::MemberRole).toBool());
  m_panel->filterBox()->setText(QStringLiteral("seed 2"));  // its group has one run in view: none
  QCOMPARE(m_panel->selectedRuns(), QStringList{"Admin-2"});
  m_panel->filterBox()->clear();
  QCOMPARE(m_panel->selectedRuns(), QStringList{"Admin-2"});
  fold->setFolds(false);
  QCOMPARE(m_panel->selectedRuns(), QStringList{"Admin-2"});
  m_panel->selectRuns({"Admin-1", "Admin-2"}, "Admin-2");
  fold->setFolds(true);
  fold->setOpen(fold->groupRow(QStringLiteral("Admin-1")), false);
  QVERIFY(table()->selectionModel()->isRowSelected(cell("Admin").row(), {}));
  QCOMPARE(told.count(), 0);
  QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(cell("alone")).center());
  QCOMPARE(m_panel->selectedRuns(), QStringList{"alone"});  // a choice is one of all
  QCOMPARE(m_panel->currentRun(), QStringLiteral("alone"));
  QVERIFY(told.count() > 0);
}

void RunFoldTest::selectionLivesThroughNewSeeds() {
  m_model->updateRuns({seedOf("Deep", 1, 3)});
  m_panel->selectRuns({"Deep-1"}, "Deep-1");
  QSignalSpy told(m_panel.get(), &RunTablePanel::selectionChanged);
  m_model->updateRuns({seedOf("Deep", 2, 3)});
  QCOMPARE(m_panel->selectedRuns(), QStringList{"Deep-1"});
  m_panel->selectRuns({"Deep-1", "Deep-2"}, "Deep-2");
  QVERIFY(table()->selectionModel()->isRowSelected(cell("Deep").row(), {}));
  m_model->updateRuns({seedOf("Deep", 3, 3)});
  QStringList chosen = m_panel->selectedRuns();
  chosen.sort();
  QCOMPARE(chosen, QStringList({"Deep-1", "Deep-2"}));
  QVERIFY(!table()->selectionModel()->isRowSelected(cell("Deep").row(), {}));
  QCOMPARE(told.count(), 0);
}

void RunFoldTest::aRunThatIsGoneIsTold() {
  m_panel->selectRuns({"alone", "Admin-1"}, "alone");
  QSignalSpy told(m_panel.get(), &RunTablePanel::selectionChanged);
  m_model->removeRuns({QStringLiteral("Post-LN-1")});
  QCOMPARE(told.count(), 0);
  m_model->removeRuns({QStringLiteral("alone")});
  QCOMPARE(told.count(), 1);
  QCOMPARE(m_panel->selectedRuns(), QStringList{"Admin-1"});
}

void RunFoldTest::theGroupIsPaintedWithItsRuns() {
  QSignalSpy changed(rows(), &QAbstractItemModel::dataChanged);
  m_model->removeRuns({QStringLiteral("Post-LN-1")});
  const int row = cell("Post-LN · ").row();
  QVERIFY(std::any_of(changed.cbegin(), changed.cend(), [row](const QList<QVariant>& each) {
    return each[0].toModelIndex().row() <= row && each[1].toModelIndex().row() >= row &&
           each[1].toModelIndex().column() >= RunTableModel::FixedColumns;
  }));
}

// Whoever hears of a row that goes may change what the rows are sorted by.
void RunFoldTest::sortedByTheEyesWhileRowsGo() {
  auto* fold = qobject_cast<RunFoldModel*>(rows());
  const QAbstractItemModelTester tester(fold, QAbstractItemModelTester::FailureReportingMode::QtTest);
  fold->setOpen(cell("Post-LN").row(), true);
  table()->sortByColumn(RunTableModel::Eye, Qt::AscendingOrder);
  connect(fold, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] {
    m_model->eyes()->toggle({QStringLiteral("Post-LN-1"), QStringLiteral("Post-LN-2")});
    m_model->eyes()->toggle({QStringLiteral("alone")});
  });
  fold->setOpen(cell("Post-LN").row(), false);
  QCOMPARE(fold->rowCount(), 3);
  QCOMPARE(fold->index(2, 0).data(RunTableModel::UuidRole).toString(), QStringLiteral("alone"));
  for (int row = 0; row < fold->rowCount(); ++row) {
    const QModelIndex index = fold->index(row, RunTableModel::Name);
    const QString uuid = index.data(RunTableModel::UuidRole).toString();
    if (index.data(RunFoldModel::GroupRole).toInt() == 0)
      QCOMPARE(index.data().toString(), m_model->shownName(uuid));
  }
}

void RunFoldTest::spaceAndEyeActOnTheGroup() {
  table()->setCurrentIndex(cell("Admin"));
  QTest::keyClick(table(), Qt::Key_Space);
  QVERIFY(!m_model->eyes()->isOpen(QStringLiteral("Admin-1")) &&
          !m_model->eyes()->isOpen(QStringLiteral("Admin-2")));
  QVERIFY(m_model->eyes()->isOpen(QStringLiteral("Post-LN-1")));
  QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                    table()->visualRect(cell("Admin", RunTableModel::Eye)).center());
  QVERIFY(m_model->eyes()->isOpen(QStringLiteral("Admin-1")));
}

void RunFoldTest::foldingIsAChoice() {
  auto* columns = m_panel->findChild<QToolButton*>(QStringLiteral("columns"));
  QVERIFY(columns != nullptr);
  const auto choose = [&] {
    columns->menu()->popup(m_panel->mapToGlobal(QPoint()));
    auto* entry = columns->menu()->findChild<QAction*>(QStringLiteral("foldGrids"));
    QTest::mouseClick(columns->menu(), Qt::LeftButton, {}, columns->menu()->actionGeometry(entry).center());
  };
  choose();
  QCOMPARE(rows()->rowCount(), 6);
  RunTableModel model;
  RunTablePanel later(&model);
  later.restoreLayout(m_panel->saveLayout());
  model.setRuns(madeGrid());
  QCOMPARE(later.table()->model()->rowCount(), 6);
  choose();
  QCOMPARE(rows()->rowCount(), 3);
}

void RunFoldTest::optionsAreOneClickAway() {
  auto* button = m_panel->findChild<QToolButton*>(QStringLiteral("differingOptions"));
  QTest::mouseClick(button, Qt::LeftButton);
  QCOMPARE(m_model->configColumns(),
           QStringList{"scheme"});  // the seed is no difference, layers are the same
  QCOMPARE(cell("Admin", RunTableModel::FixedColumns + 1).data().toString(), QStringLiteral("Admin"));
  QTest::mouseClick(button, Qt::LeftButton);
  QCOMPARE(m_model->configColumns(), QStringList());
  // Beside another option, which says nothing of them.
  RunTableModel model;
  RunTablePanel other(&model);
  model.setRuns(madeGrid());
  other.restoreLayout(R"({"options": ["layers"]})");
  button = other.findChild<QToolButton*>(QStringLiteral("differingOptions"));
  QVERIFY(!button->isChecked());
  button->click();
  QCOMPARE(model.configColumns(), QStringList({"layers", "scheme"}));
  QVERIFY(button->isChecked());
  button->click();
  QCOMPARE(model.configColumns(), QStringList{"layers"});
  QVERIFY(!button->isChecked());
}

void RunFoldTest::liveRunTellsWhatIsLeft() {
  RunItem run = madeGrid().last();
  run.state = RunState::Running;
  run.step = 37;
  run.remainingSeconds = 290;
  m_model->updateRuns({run});
  QCOMPARE(cell("alone", RunTableModel::Progress).data().toString(), QStringLiteral("37 of 600 · 4:50 left"));
  run.remainingSeconds = -1;
  m_model->updateRuns({run});
  QCOMPARE(cell("alone", RunTableModel::Progress).data().toString(), QStringLiteral("37 of 600"));
}

void RunFoldTest::scoreStandsBesideTheName() {
  const QHeaderView* header = table()->horizontalHeader();
  QCOMPARE(header->visualIndex(RunTableModel::FixedColumns), header->visualIndex(RunTableModel::Name) + 1);
}

void RunFoldTest::queueTellsItsRate() {
  const QDateTime now = QDateTime::fromSecsSinceEpoch(1'700'010'000, Qt::UTC);
  QVector<RunItem> runs(4);
  for (int i = 0; i < 4; ++i) {
    runs[i].uuid = QString::number(i);
    runs[i].state = i < 2 ? RunState::Finished : RunState::Queued;
    runs[i].created = now.addSecs(-1800 * (i + 1));
    runs[i].durationSeconds = 1700;
  }
  const QueueRate rate = queueRate(runs, now);
  QCOMPARE(rate.runsAnHour, 2.0);
  QCOMPARE(rate.secondsLeft, 3600.0);
  QVERIFY(queueRateText(rate).contains(durationText(3600)));
  // One that began a day ago, among many short ones, does not stretch the time over which they are counted.
  QVector<RunItem> many(13);
  for (RunItem& run : many) {
    run.state = RunState::Finished;
    run.created = now.addSecs(-5 * 3600);
    run.durationSeconds = 1700;
  }
  many[0].created = now.addDays(-1);
  many[0].durationSeconds = 23 * 3600;
  QCOMPARE(queueRate(many, now).runsAnHour, (12 + 6.0 / 23) / 6);
  runs[1].created = now.addDays(-3);  // of another day
  QVERIFY(queueRate(runs, now).runsAnHour < 0);
  QVERIFY(queueRateText(queueRate(runs, now)).isEmpty());
}

// By the places of the machine that are taken, what waits before them, and what is known of the time.
void RunFoldTest::queuedRunsSayWhenTheyBegin() {
  const QDateTime now = QDateTime::fromSecsSinceEpoch(1'700'010'000, Qt::UTC);
  QVector<RunItem> runs(2);
  for (RunItem& run : runs) run.state = RunState::Finished;
  const auto said = [&](const QueueWait& wait) { return beginText(runs, wait, now); };
  QCOMPARE(said({}), QStringLiteral("It begins at once."));
  QCOMPARE(said({.runs = 12}), QStringLiteral("The first begins at once."));
  QCOMPARE(said({.paused = true}), QStringLiteral("The queue is paused: nothing begins until it goes on."));
  runs[0].state = RunState::Running;
  runs[0].name = QStringLiteral("deep");
  QCOMPARE(said({}), QStringLiteral("Begins when “deep” has ended."));
  runs[0].remainingSeconds = 290;
  QCOMPARE(said({}), QStringLiteral("Begins when “deep” has ended, in about 4:50."));
  QCOMPARE(said({.atOnce = 2}), QStringLiteral("It begins at once."));
  runs[1].state = RunState::Running;
  runs[1].name = QStringLiteral("flat");
  runs[1].remainingSeconds = 60;
  QCOMPARE(said({.atOnce = 2}), QStringLiteral("Begins when “flat” has ended, in about 1:00."));
  QCOMPARE(said({.ahead = 3}), QStringLiteral("Begins when runs before it have ended: 5."));
  // What trains elsewhere, or another program's, takes no place here.
  runs[0].job.place = QStringLiteral("box");
  runs[1].origin = QStringLiteral("/runs/wandb");
  QCOMPARE(said({}), QStringLiteral("It begins at once."));
  QCOMPARE(said({.ahead = 1}), QStringLiteral("Begins when runs before it have ended: 1."));
  for (int i = 0; i < 2; ++i) {
    RunItem ended;
    ended.state = RunState::Finished;
    ended.created = now.addSecs(-1800 * (i + 1));
    ended.durationSeconds = 1700;
    runs.append(ended);
  }
  QCOMPARE(said({.ahead = 3}), QStringLiteral("Begins when runs before it have ended: 3, in about 1:30:00."));
}

QTEST_MAIN(RunFoldTest)
#include "tst_run_fold.moc"
