// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>
#include <QTreeWidgetItem>
#include <filesystem>

#include "app/window/main/clean_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/main/trash_dialog.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/records/project_library.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/command_palette.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

// The way into the trash and out of it, as a person goes it: Delete in the table, “Restore deleted runs…” and
// “Clean up…” by the command palette.
class TrashTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void runComesBackWithEverything();
  void equalNamesAreToldApart();
  void runThatIsThereAgainIsNotDoubled();
  void emptyingTheTrashAsksFirst();
  void waitingRunIsNotDeleted();
  void linkedRunKeepsItsFolder();

 private:
  bool open(int runs);
  RunItem item(const QString& uuid) const { return *model()->run(uuid); }
  const RunTableModel* model() const { return m_window->train()->runModel(); }
  int rows() const { return model()->rowCount(); }
  void deleteRun(const QString& uuid);
  void choose(const char* words);
  // Once it has looked.
  TrashDialog* trash();
  // These rows are selected by the mouse, and the button is clicked.
  static bool restore(TrashDialog* dialog, const QList<int>& rows);
  static int rowOf(const TrashDialog* dialog, const QString& path);
  static QString uuidOf(const std::string& path) {
    return QString::fromStdString(RunFolder(path).identity()->uuid);
  }
  int inTrash() const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void TrashTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(QueueFolder(m_fixture->project().toStdString()).setSettings(paused).ok());
}

void TrashTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

bool TrashTest::open(int runs) {
  m_window = m_host->openWindow(m_fixture->project());
  return QTest::qWaitForWindowActive(m_window) &&
         waitUntil([&] { return m_window->service()->isReady() && rows() == runs; });
}

int TrashTest::inTrash() const {
  const std::filesystem::path trash = m_fixture->project().toStdString() + "/trash";
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(trash), {}));
}

// Selects it and types Del where the runs are.
void TrashTest::deleteRun(const QString& uuid) {
  m_window->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  m_window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  QTableView* table = m_window->train()->runs()->table();
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Delete);
}

// By Ctrl+Shift+P and words of its title.
void TrashTest::choose(const char* words) {
  QTest::keyClick(m_window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  QTest::keyClicks(m_window->palettePopup()->findChild<QLineEdit*>("paletteQuery"),
                   QString::fromLatin1(words));
  QTest::keyClick(m_window->palettePopup()->findChild<QLineEdit*>("paletteQuery"), Qt::Key_Return);
}

TrashDialog* TrashTest::trash() {
  choose("restore deleted");
  auto* dialog = m_window->findChild<TrashDialog*>();
  return dialog != nullptr && waitUntil([&] { return dialog->isVisible() && dialog->isIdle(); }) ? dialog
                                                                                                 : nullptr;
}

int TrashTest::rowOf(const TrashDialog* dialog, const QString& path) {
  for (int row = 0; row < dialog->list()->topLevelItemCount(); ++row)
    if (dialog->list()->topLevelItem(row)->toolTip(0) == path) return row;
  return -1;
}

bool TrashTest::restore(TrashDialog* dialog, const QList<int>& rows) {
  QTreeWidget* list = dialog->list();
  for (const int row : rows) {
    const QPoint at = list->visualItemRect(list->topLevelItem(row)).center();
    QTest::mouseClick(list->viewport(), Qt::LeftButton,
                      row == rows.first() ? Qt::KeyboardModifiers() : Qt::ControlModifier, at);
  }
  if (list->selectedItems().size() != rows.size() || !dialog->restoreButton()->isEnabled()) return false;
  QTest::mouseClick(dialog->restoreButton(), Qt::LeftButton);
  return waitUntil([dialog] { return dialog->isIdle(); });
}

void TrashTest::runComesBackWithEverything() {
  const std::string path = m_fixture->addRun("one", 20, RunState::Stopped);
  const QString uuid = uuidOf(path);
  QVERIFY(open(1));
  RunNotes notes;
  notes.name = "by hand";
  notes.notes = "worth keeping";
  notes.tags = {"fast", "good"};
  notes.starred = true;
  notes.colour = "#aa3377";
  m_window->service()->setNotes(uuid, notes);
  QVERIFY(waitUntil([&] { return item(uuid).star; }));
  const RunItem before = item(uuid);
  deleteRun(uuid);
  QVERIFY(waitUntil([&] { return rows() == 0; }));
  QVERIFY(!QFile::exists(QString::fromStdString(path)));
  QVERIFY(m_window->messages()->currentText().contains(QStringLiteral("by hand")));
  TrashDialog* dialog = trash();
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->list()->topLevelItemCount(), 1);
  QCOMPARE(dialog->list()->topLevelItem(0)->text(0), QStringLiteral("by hand"));
  QVERIFY(dialog->restoreButton()->isEnabled());  // one alone is chosen
  QTest::keyClick(dialog->list(), Qt::Key_Return);
  QVERIFY(waitUntil([&] { return rows() == 1; }));
  QVERIFY(QFile::exists(QString::fromStdString(path)));
  QVERIFY(waitUntil([&] { return m_window->messages()->currentText().contains("by hand"); }));
  // The trash is empty, and that is said.
  QVERIFY(waitUntil([&] { return dialog->isIdle() && !dialog->list()->isVisible(); }));
  QVERIFY(!dialog->restoreButton()->isEnabled());
  QCOMPARE(item(uuid), before);
  QCOMPARE(item(uuid).tags, QStringList({"fast", "good"}));
  QCOMPARE(item(uuid).chosenColour, QColor("#aa3377"));
  dialog->close();
  m_window->messages()->closeCurrent();
  // It can be gone on with as before; undoing the deletion now changes nothing and complains of nothing.
  m_window->undoStack()->undo();
  m_window->service()->drain();
  m_window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  QVERIFY(m_window->action("run.resume")->isEnabled());
  QCOMPARE(rows(), 1);
  QVERIFY2(!m_window->messages()->isVisible(), qPrintable(m_window->messages()->currentText()));
}

void TrashTest::equalNamesAreToldApart() {
  const QString first = uuidOf(m_fixture->addRun("same"));
  const QString second = uuidOf(m_fixture->addRun("same"));
  QVERIFY(open(2));
  deleteRun(first);
  QVERIFY(waitUntil([&] { return rows() == 1; }));
  deleteRun(second);
  QVERIFY(waitUntil([&] { return rows() == 0; }));
  TrashDialog* dialog = trash();
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->list()->topLevelItemCount(), 2);
  const QString folder = m_fixture->project() + QStringLiteral("/trash/");
  const int row = rowOf(dialog, folder + second);
  QVERIFY(row >= 0 && rowOf(dialog, folder + first) >= 0);
  QCOMPARE(dialog->list()->topLevelItem(row)->text(2), second.left(8));
  QVERIFY(restore(dialog, {row}));
  QVERIFY(waitUntil([&] { return rows() == 1; }));
  QCOMPARE(model()->runs().first().uuid, second);
  // A run that is deleted while the list is open is listed, too; several come back at once.
  m_window->service()->trashRuns({second});
  QVERIFY(waitUntil([&] { return dialog->isIdle() && dialog->list()->topLevelItemCount() == 2; }));
  QVERIFY(restore(dialog, {0, 1}));
  QVERIFY(waitUntil([&] { return rows() == 2; }));
}

// Deleted, copied back by hand, deleted again: each copy can be had back, but not two at a time.
void TrashTest::runThatIsThereAgainIsNotDoubled() {
  namespace fs = std::filesystem;
  const std::string path = m_fixture->addRun("one");
  const QString uuid = uuidOf(path);
  const std::string copy = m_fixture->project().toStdString() + "/copy";
  fs::copy(path, copy, fs::copy_options::recursive);
  QVERIFY(open(1));
  deleteRun(uuid);
  QVERIFY(waitUntil([&] { return rows() == 0; }));
  fs::rename(copy, path);
  QVERIFY(waitUntil([&] { return rows() == 1; }));
  TrashDialog* dialog = trash();
  QVERIFY(dialog != nullptr && restore(dialog, {0}));
  QVERIFY2(dialog->problem().contains(QStringLiteral("in the project again")), qPrintable(dialog->problem()));
  QCOMPARE(dialog->list()->topLevelItemCount(), 1);  // it stays
  dialog->close();
  QVERIFY(waitUntil([&] { return m_window->findChild<TrashDialog*>() == nullptr; }));
  deleteRun(uuid);
  QVERIFY(waitUntil([&] { return rows() == 0; }));
  QCOMPARE(inTrash(), 2);
  dialog = trash();
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->list()->topLevelItemCount(), 2);
  const int row = rowOf(dialog, m_fixture->project() + QStringLiteral("/trash/") + uuid);
  QVERIFY(row >= 0);
  QVERIFY(restore(dialog, {row}));
  QVERIFY(waitUntil([&] { return rows() == 1; }));
  QVERIFY(QFile::exists(QString::fromStdString(path)));
  QCOMPARE(inTrash(), 1);
  QCOMPARE(dialog->problem(), QString());
}

void TrashTest::emptyingTheTrashAsksFirst() {
  const QString uuid = uuidOf(m_fixture->addRun("one"));
  QVERIFY(open(1));
  deleteRun(uuid);
  QVERIFY(waitUntil([&] { return rows() == 0; }));
  choose("clean up");
  auto* dialog = m_window->findChild<CleanDialog*>();
  QVERIFY(dialog != nullptr && waitUntil([&] { return dialog->isVisible() && dialog->isIdle(); }));
  QVERIFY2(dialog->summary().contains("for good"), qPrintable(dialog->summary()));
  QCOMPARE(dialog->list()->topLevelItemCount(), 1);
  QTreeWidgetItem* listed = dialog->list()->topLevelItem(0)->child(0);
  QVERIFY2(listed->toolTip(0).contains(uuid), qPrintable(listed->toolTip(0)));
  QCOMPARE(inTrash(), 1);  // looking removes nothing
  dialog->list()->setCurrentItem(listed);
  for (const bool agreed : {false, true}) {
    QTest::keyClick(dialog->list(), Qt::Key_Space);
    QCOMPARE(listed->checkState(0) == Qt::Checked, agreed);
    QCOMPARE(dialog->freeButton()->isEnabled(), agreed);
    QTest::mouseClick(dialog->freeButton(), Qt::LeftButton);
    if (!agreed) QCOMPARE(inTrash(), 1);
  }
  QVERIFY(waitUntil([&] { return inTrash() == 0; }));
  QVERIFY(waitUntil([&] { return m_window->findChild<CleanDialog*>() == nullptr; }));
  m_window->undoStack()->undo();
  QVERIFY(waitUntil(
      [&] { return m_window->messages()->currentText().contains(QStringLiteral("not in the trash")); }));
}

// What waits in the queue is taken out of it first: Del does not tear the run away from its entry.
void TrashTest::waitingRunIsNotDeleted() {
  const std::string path = m_fixture->addRun("one", 20, RunState::Stopped);
  const QString uuid = uuidOf(path);
  QVERIFY(open(1));
  m_window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  m_window->action("run.resume")->trigger();
  QVERIFY(waitUntil([&] { return item(uuid).state == RunState::Queued; }));
  deleteRun(uuid);
  QVERIFY(waitUntil([&] { return item(uuid).state == RunState::Stopped; }));
  m_window->service()->drain();
  QCOMPARE(inTrash(), 0);
  deleteRun(uuid);
  QVERIFY(waitUntil([&] { return rows() == 0 && inTrash() == 1; }));
  m_window->undoStack()->undo();
  m_window->undoStack()->undo();  // and back into the queue
  QVERIFY(waitUntil([&] { return rows() == 1 && item(uuid).state == RunState::Queued; }));
}

void TrashTest::linkedRunKeepsItsFolder() {
  const std::string path = m_fixture->addRun("one");
  const std::string elsewhere = m_fixture->project().toStdString() + "-elsewhere";
  std::filesystem::rename(path, elsewhere);
  QVERIFY(open(0));
  m_window->service()->linkRun(QString::fromStdString(elsewhere));
  QVERIFY(waitUntil([&] { return rows() == 1; }));
  deleteRun(uuidOf(elsewhere));
  QVERIFY(waitUntil([&] { return rows() == 0; }));
  QVERIFY(std::filesystem::exists(elsewhere + "/run.json") && inTrash() == 0);
  QVERIFY(m_window->messages()->currentText().contains(QStringLiteral("folder stays")));
  m_window->undoStack()->undo();
  QVERIFY(waitUntil([&] { return rows() == 1; }));
}

QTEST_MAIN(TrashTest)
#include "tst_trash.moc"
