// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QListWidget>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QUndoStack>
#include <filesystem>

#include "app/runs/training_request.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/imports/run_import.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/runs/run_lock.h"
#include "tests/gui/support_analysis_results.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/panels/attention/analysis_side.h"
#include "views/panels/attention/analysis_view.h"
#include "views/panels/figures/composition_form.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_eyes.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

namespace {

const char* const kViews[] = {"train", "attention", "errors", "figures"};

}  // namespace

// What a person selected is what stays selected and what Del deletes: for every kind of run, whichever
// workspaces were looked at before.
class SacredSelectionTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void clickArrowMenuAndDel_data();
  void clickArrowMenuAndDel();
  void whatWasTrashedIsNowhere();
  void attentionLeavesTheSelectionAlone();
  void everyKindIsListedInAttention();
  void waitingRunHasItsNameInFigures();
  void nothingIsChosenForAPerson();
  void launchedRunIsSelected_data();
  void launchedRunIsSelected();
  void selectionComesBackWithTheSession();

 private:
  void makeRuns();
  bool open();
  bool rest() const;
  void visit(const char* view);
  QTableView* table() const { return m_window->train()->runs()->table(); }
  const RunTableModel* model() const { return m_window->train()->runModel(); }
  const DimensionSelection& chosen() const { return m_window->selection()->of(Dimension::Run); }
  QModelIndex cellOf(const QString& uuid) const;
  void click(const QString& uuid, Qt::MouseButton button = Qt::LeftButton);
  bool staysChosen(const QString& uuid);
  QStringList waiting() const;
  QStringList inTrash() const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
  std::unique_ptr<QProcess> m_engine;
  QMap<QString, QString> m_runs;  // by kind
};

void SacredSelectionTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(QueueFolder(m_fixture->project().toStdString()).setSettings(paused).ok());
}

void SacredSelectionTest::cleanup() {
  m_host.reset();
  if (m_engine) {
    m_engine->kill();
    m_engine->waitForFinished();
  }
  m_engine.reset();
  m_runs.clear();
  m_fixture.reset();
}

// One of every kind; the finished one has a result, so that Attention has something to show by itself.
void SacredSelectionTest::makeRuns() {
  const std::string project = m_fixture->project().toStdString();
  const auto uuidOf = [](const std::string& path) { return QFileInfo(fromUtf8(path)).fileName(); };
  for (const auto& [kind, state] :
       {std::pair{"finished", RunState::Finished}, std::pair{"stopped", RunState::Stopped},
        std::pair{"diverged", RunState::Diverged}, std::pair{"failed", RunState::Failed},
        std::pair{"killed", RunState::Killed}, std::pair{"crashed", RunState::Crashed}})
    m_runs.insert(kind, uuidOf(m_fixture->addRun(kind, 20, state)));
  test::storeResult(project + "/runs/" + m_runs["finished"].toStdString(), "attention_entropy",
                    "0001-00000010", test::madeEntropy(3, 4, 0));
  std::string path;
  m_fixture->beginRun("lost", &path).reset();
  m_runs.insert("lost", uuidOf(path));
  const std::string log = project + "/foreign.csv";
  QVERIFY(writeFileAtomically(log, "step,loss\n1,4\n2,3\n3,2\n").ok());
  Progress progress;
  const auto imported = importRuns(log, project + "/runs", {}, progress, {});
  QVERIFY2(imported.ok(), imported.ok() ? "" : imported.error().text().c_str());
  const std::string broken = project + "/runs/broken";
  QVERIFY(QDir().mkpath(fromUtf8(broken)));
  QVERIFY(writeFileAtomically(broken + "/run.json", "{\"uuid\": 3").ok());
  m_runs.insert("unreadable", fromUtf8(broken));
  const auto entry = QueueFolder(project).add(trainingEntry(project, {.name = "queued"}));
  QVERIFY(entry.ok());
  m_runs.insert("queued", fromUtf8(entry->uuid));
  const std::string uuid = makeUuid(), config = project + "/running.json", folder = project + "/runs/" + uuid;
  RunConfig what;
  what.name = "running";
  what.options = {{"fake.steps", 1000000}, {"fake.milliseconds", 20}};
  QVERIFY(writeFileAtomically(config, runConfigToJson(what).dump()).ok());
  m_engine = std::make_unique<QProcess>();
  m_engine->start(qEnvironmentVariable("FATHOM_ENGINE"), {"train", "--config", fromUtf8(config), "--run",
                                                          fromUtf8(folder), "--uuid", fromUtf8(uuid)});
  QVERIFY(waitUntil([&] { return RunFolder(folder).lastAttempt() == 1 && runLockHolder(folder); }));
  m_runs.insert("running", fromUtf8(uuid));
}

bool SacredSelectionTest::open() {
  m_window = m_host->openWindow(m_fixture->project());
  if (!QTest::qWaitForWindowActive(m_window)) return false;
  const int all = int(m_runs.size()) + (m_runs.contains("unreadable") ? 1 : 0);  // and the imported one
  if (!waitUntil([&] { return m_window->service()->isReady() && model()->rowCount() == all; })) return false;
  for (const RunItem& run : model()->runs())
    if (!run.origin.isEmpty()) m_runs.insert("imported", run.uuid);
  m_window->service()->drain();
  return test::settled(m_window) && rest();
}

// Nothing is read or computed any more, whoever asked for it.
bool SacredSelectionTest::rest() const {
  return waitUntil([this] { return m_window->jobs()->count() == 0; });
}

void SacredSelectionTest::visit(const char* view) {
  m_window->action(QStringLiteral("view.") + QString::fromLatin1(view))->trigger();
  QVERIFY(rest());
}

QModelIndex SacredSelectionTest::cellOf(const QString& uuid) const {
  const QAbstractItemModel* rows = table()->model();
  for (int row = 0; row < rows->rowCount(); ++row) {
    const QModelIndex cell = rows->index(row, RunTableModel::Name);
    if (cell.data(RunTableModel::UuidRole).toString() == uuid) return cell;
  }
  return {};
}

void SacredSelectionTest::click(const QString& uuid, Qt::MouseButton button) {
  table()->scrollTo(cellOf(uuid));
  QTest::mouseClick(table()->viewport(), button, {}, table()->visualRect(cellOf(uuid)).center());
}

// Now, and when everything that follows a selection has been read.
bool SacredSelectionTest::staysChosen(const QString& uuid) {
  const auto so = [&] { return chosen().items == QStringList{uuid} && chosen().current == uuid; };
  return so() && rest() && test::staysSo(so);
}

QStringList SacredSelectionTest::waiting() const {
  QStringList uuids;
  for (const QueueEntry& entry : *QueueFolder(m_fixture->project().toStdString()).entries())
    uuids.append(fromUtf8(entry.uuid));
  return uuids;
}

QStringList SacredSelectionTest::inTrash() const {
  return QDir(m_fixture->project() + QStringLiteral("/trash")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
}

void SacredSelectionTest::clickArrowMenuAndDel_data() {
  QTest::addColumn<QString>("before");
  for (const char* view : kViews) QTest::newRow(view) << QString::fromLatin1(view);
}

void SacredSelectionTest::clickArrowMenuAndDel() {
  QFETCH(QString, before);
  makeRuns();
  QVERIFY(open());
  QCOMPARE(model()->rowCount(), int(m_runs.size()));
  for (auto each = m_runs.cbegin(); each != m_runs.cend(); ++each) {
    const QString kind = each.key(), uuid = each.value();
    const QByteArray told = (kind + QStringLiteral(" after ") + before).toUtf8();
    const char* const about = told.constData();
    visit(before.toLatin1().constData());
    visit("train");
    click(uuid);
    QVERIFY2(staysChosen(uuid), about);
    // Away by an arrow and back.
    const int row = cellOf(uuid).row();
    const bool down = row == 0;
    QTest::keyClick(table(), down ? Qt::Key_Down : Qt::Key_Up);
    const QString other =
        table()->model()->index(row + (down ? 1 : -1), 0).data(RunTableModel::UuidRole).toString();
    QVERIFY2(staysChosen(other), about);
    QTest::keyClick(table(), down ? Qt::Key_Up : Qt::Key_Down);
    QVERIFY2(staysChosen(uuid), about);
    // The menu of the row is about it.
    click(other);
    click(uuid, Qt::RightButton);
    QTimer::singleShot(0, this, [] {
      if (QWidget* menu = QApplication::activePopupWidget()) menu->close();
    });
    Q_EMIT table()->customContextMenuRequested(table()->visualRect(cellOf(uuid)).center());
    QVERIFY2(staysChosen(uuid), about);
    const int rows = model()->rowCount();
    const QStringList trash = inTrash();
    const QString folder = QFileInfo(model()->run(uuid)->folder).fileName();  // an import's has its own name
    m_window->activateWindow();                                               // the menu was a window, too
    QVERIFY(QTest::qWaitForWindowActive(m_window));
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Delete);
    m_window->service()->drain();
    QVERIFY(rest());
    if (kind == QLatin1String("running")) {
      QCOMPARE(model()->rowCount(), rows);
      QVERIFY2(staysChosen(uuid), about);
      continue;
    }
    QVERIFY2(waitUntil([&] { return model()->run(uuid) == nullptr; }), about);
    QCOMPARE(model()->rowCount(), rows - 1);
    QVERIFY2(!chosen().items.contains(uuid), about);
    if (kind == QLatin1String("queued")) {
      QVERIFY2(waiting().isEmpty(), about);
      QCOMPARE(inTrash(), trash);
    } else {
      QCOMPARE(inTrash().size(), trash.size() + 1);
      QVERIFY2(!inTrash().filter(folder).isEmpty(), about);
      QCOMPARE(waiting().size(), m_runs.contains("queued") && model()->run(m_runs["queued"]) ? 1 : 0);
    }
  }
  QCOMPARE(model()->rowCount(), 1);  // that runs
}

// A run in the trash is in no list and in no selection; brought back it takes nothing from the others.
void SacredSelectionTest::whatWasTrashedIsNowhere() {
  makeRuns();
  QVERIFY(open());
  for (const char* view : kViews) visit(view);
  visit("train");
  const QString uuid = m_runs["stopped"], other = m_runs["queued"];
  click(uuid);
  QTest::keyClick(table(), Qt::Key_Delete);
  QVERIFY(waitUntil([&] { return model()->run(uuid) == nullptr; }));
  for (const char* view : kViews) {
    visit(view);
    QVERIFY(!chosen().items.contains(uuid));
  }
  visit("train");
  click(other);
  m_window->undoStack()->undo();
  QVERIFY(waitUntil([&] { return model()->run(uuid) != nullptr; }));
  QVERIFY(staysChosen(other));
  // Taken away by another program: what is selected goes, and nothing else with it.
  click(uuid);
  std::filesystem::rename(m_fixture->project().toStdString() + "/runs/" + uuid.toStdString(),
                          m_fixture->project().toStdString() + "/elsewhere");
  QVERIFY(waitUntil([&] { return model()->run(uuid) == nullptr; }));
  QVERIFY(!chosen().items.contains(uuid));
}

// In view it shows what it would show by itself and selects nothing; out of view it reads nothing either.
void SacredSelectionTest::attentionLeavesTheSelectionAlone() {
  makeRuns();
  QVERIFY(open());
  const QString queued = m_runs["queued"];
  click(queued);
  visit("attention");
  QVERIFY(staysChosen(queued));
  AttentionWorkspace* attention = m_window->attention();
  QVERIFY(!attention->hasFigure());
  const QString told = attention->view()->message()->text();
  QVERIFY2(told.contains("queued") && told.contains("waits in the queue"), qPrintable(told));
  m_window->selection()->set(Dimension::Run, {}, {}, nullptr);
  QVERIFY(rest());
  QVERIFY(waitUntil([&] { return attention->hasFigure(); }));
  QCOMPARE(attention->side()->chosenRuns(), QStringList{m_runs["finished"]});
  QVERIFY(chosen().items.isEmpty());
  visit("train");
  QVERIFY(chosen().items.isEmpty());
  click(m_runs["failed"]);
  QVERIFY(staysChosen(m_runs["failed"]));
}

void SacredSelectionTest::everyKindIsListedInAttention() {
  makeRuns();
  QVERIFY(open());
  visit("attention");
  const QListWidget* list = m_window->attention()->side()->runs();
  QCOMPARE(list->count(), int(m_runs.size()));
  for (int row = 0; row < list->count(); ++row) {
    const QListWidgetItem* item = list->item(row);
    const QString uuid = item->data(Qt::UserRole).toString(), kind = m_runs.key(uuid);
    const bool greyed = QStringList{"queued", "imported", "unreadable"}.contains(kind);
    const QString why = item->data(Qt::AccessibleDescriptionRole).toString();
    QVERIFY2(greyed != why.isEmpty(), qPrintable(kind));
    QVERIFY2(greyed == item->data(Qt::ForegroundRole).isValid(), qPrintable(kind));
    QVERIFY2(item->toolTip().contains(why), qPrintable(kind));
  }
  // What an imported run has is enough for a grid.
  m_window->attention()->side()->setAnalysis(QStringLiteral("stability_grid"));
  QVERIFY(rest());
  for (int row = 0; row < list->count(); ++row)
    if (list->item(row)->data(Qt::UserRole).toString() == m_runs["imported"])
      QVERIFY(list->item(row)->data(Qt::AccessibleDescriptionRole).toString().isEmpty());
}

void SacredSelectionTest::waitingRunHasItsNameInFigures() {
  makeRuns();
  QVERIFY(open());
  const QString queued = m_runs["queued"], finished = m_runs["finished"];
  m_window->selection()->set(Dimension::Run, {queued, finished}, queued, nullptr);
  m_window->train()->runModel()->eyes()->openOnly({queued, finished});  // the figure is of what is drawn
  Q_EMIT m_window->train()->curves()->exportRequested();
  FiguresWorkspace* figures = m_window->figures();
  QVERIFY(waitUntil([&] { return figures->composition() != nullptr && figures->settled(); }));
  QCOMPARE(int(figures->composition()->panels.front().recipe.runs.size()), 2);
  const auto* list = figures->form()->findChild<QListWidget*>(QStringLiteral("panelRuns"));
  bool found = false;
  for (int row = 0; row < list->count(); ++row) {
    const QListWidgetItem* item = list->item(row);
    QVERIFY2(!item->text().contains(queued), qPrintable(item->text()));
    if (item->data(Qt::UserRole).toString() != queued) continue;
    found = true;
    QCOMPARE(item->text(), QStringLiteral("queued"));
    QCOMPARE(item->checkState(), Qt::Checked);
    QVERIFY(item->toolTip().contains(QStringLiteral("waits in the queue")));
  }
  QVERIFY(found);
}

// Whoever has deselected everything is not given something else when runs come and change.
void SacredSelectionTest::nothingIsChosenForAPerson() {
  makeRuns();
  QVERIFY(open());
  m_window->selection()->set(Dimension::Run, {}, {}, nullptr);
  m_fixture->addRun("another");
  QVERIFY(waitUntil([&] { return model()->rowCount() == int(m_runs.size()) + 1; }));
  QVERIFY(test::staysSo([&] { return chosen().items.isEmpty(); }, 300));
}

void SacredSelectionTest::launchedRunIsSelected_data() {
  QTest::addColumn<QString>("button");
  QTest::newRow("Train now") << QStringLiteral("trainNow");
  QTest::newRow("Add to queue") << QStringLiteral("addToQueue");
}

void SacredSelectionTest::launchedRunIsSelected() {
  QFETCH(QString, button);
  makeRuns();
  QVERIFY(open());
  for (const char* view : kViews) visit(view);
  visit("train");
  click(m_runs["finished"]);
  QVERIFY(waitUntil([&] { return m_window->train()->engine() != nullptr; }));
  m_window->action("run.new")->trigger();
  auto* press = m_window->findChild<QPushButton*>(button);
  QVERIFY(waitUntil([&] { return press->isEnabled(); }));
  QTest::mouseClick(press, Qt::LeftButton);
  const QString note =
      QStringLiteral("was put into the queue. The queue is paused: nothing begins until it goes on.");
  QVERIFY2(waitUntil([&] { return m_window->messages()->currentText().contains(note); }),
           qPrintable(m_window->messages()->currentText()));
  QVERIFY(waitUntil([&] { return waiting().size() == 2; }));
  QStringList fresh = waiting();
  fresh.removeAll(m_runs["queued"]);
  QVERIFY(waitUntil([&] { return chosen().items == fresh; }));
  QVERIFY(staysChosen(fresh.first()));
  QCOMPARE(m_window->train()->details()->currentRun(), fresh.first());
  visit("attention");
  visit("train");
  QVERIFY(staysChosen(fresh.first()));
}

void SacredSelectionTest::selectionComesBackWithTheSession() {
  makeRuns();
  QVERIFY(open());
  const QStringList both{m_runs["killed"], m_runs["imported"]};
  m_window->selection()->set(Dimension::Run, both, both.last(), nullptr);
  m_window->close();
  m_host.reset();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_runs.remove("imported");
  QVERIFY(open());
  QCOMPARE(chosen().items, both);
  QCOMPARE(chosen().current, both.last());
}

QTEST_MAIN(SacredSelectionTest)
#include "tst_sacred_selection.moc"
