// SPDX-License-Identifier: Apache-2.0
// Cleaning up a project from the File menu: what can go with sizes, ticks, their sum on the button, and only
// what is ticked goes.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include "app/window/main/clean_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/record/runs/project_folder.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/empty_state.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

namespace {

// How often something happened to a widget since this was made.
class EventCount : public QObject {
 public:
  EventCount(QWidget* widget, QEvent::Type type) : m_type(type) { widget->installEventFilter(this); }
  int count() const { return m_count; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == m_type) ++m_count;
    return QObject::eventFilter(watched, event);
  }

 private:
  QEvent::Type m_type;
  int m_count = 0;
};

}  // namespace

class CleanDialogTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void emptyProjectHasNothing();
  void onlyWhatIsTickedGoes();
  void cacheIsNotTicked();
  void groupsTickTheirRows();
  void escapeRemovesNothing();
  void numbersAreTypedInOneGo();
  void failedRemovalIsToldAndLookedAtAgain();
  void goesWithItsProject();

 private:
  CleanDialog* openDialog();
  bool trashRun(const char* name);
  void writeCache() const;
  QTreeWidgetItem* group(const CleanDialog* dialog, const QString& title) const;
  static void tick(CleanDialog* dialog, QTreeWidgetItem* item);
  QStringList trashed() const {
    return QDir(m_fixture->project() + "/trash").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void CleanDialogTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  for (const char* name : {"one", "two", "three"}) m_fixture->addRun(name);
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(waitUntil([this] { return m_window->train()->runModel()->rowCount() == 3; }));
}

void CleanDialogTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

bool CleanDialogTest::trashRun(const char* name) {
  const auto& runs = m_window->train()->runModel()->runs();
  const auto before = runs.size();
  for (const RunItem& run : runs) {
    if (run.name != QLatin1String(name)) continue;
    m_window->service()->trashRuns({run.uuid});
    break;
  }
  return waitUntil([&] { return m_window->train()->runModel()->runs().size() == before - 1; });
}

// As executed predictions leave them.
void CleanDialogTest::writeCache() const {
  const QString folder = fromUtf8(ProjectFolder(toUtf8(m_fixture->project())).cachePath());
  QVERIFY(QDir().mkpath(folder));
  QFile file(folder + "/states.bin");
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(5000, 'x')) == 5000);
}

CleanDialog* CleanDialogTest::openDialog() {
  m_window->action("file.clean")->trigger();
  auto* dialog = m_window->findChild<CleanDialog*>();
  return dialog != nullptr && waitUntil([dialog] { return dialog->isVisible() && dialog->isIdle(); })
             ? dialog
             : nullptr;
}

QTreeWidgetItem* CleanDialogTest::group(const CleanDialog* dialog, const QString& title) const {
  for (int i = 0; i < dialog->list()->topLevelItemCount(); ++i)
    if (dialog->list()->topLevelItem(i)->text(0) == title) return dialog->list()->topLevelItem(i);
  return nullptr;
}

// By the keyboard: the row is made current, Space ticks it.
void CleanDialogTest::tick(CleanDialog* dialog, QTreeWidgetItem* item) {
  dialog->list()->setFocus();
  dialog->list()->setCurrentItem(item);
  QTest::keyClick(dialog->list(), Qt::Key_Space);
}

void CleanDialogTest::emptyProjectHasNothing() {
  CleanDialog* dialog = openDialog();
  QVERIFY(dialog != nullptr);
  QVERIFY(!dialog->freeButton()->isEnabled());
  QVERIFY2(dialog->summary().contains("The project holds"), qPrintable(dialog->summary()));
  const auto* empty = dialog->findChild<EmptyState*>();
  QVERIFY(empty->isVisible() && !dialog->list()->isVisible());
  QCOMPARE(empty->text(), "There is nothing to remove.");
  QVERIFY2(dialog->windowTitle().contains(QFileInfo(m_fixture->project()).completeBaseName()),
           qPrintable(dialog->windowTitle()));
  // Once is enough.
  m_window->action("file.clean")->trigger();
  QCOMPARE(m_window->findChildren<CleanDialog*>().size(), 1);
}

void CleanDialogTest::onlyWhatIsTickedGoes() {
  QVERIFY(trashRun("one") && trashRun("two"));
  QCOMPARE(trashed().size(), 2);
  CleanDialog* dialog = openDialog();
  QVERIFY(dialog != nullptr);
  QTreeWidgetItem* trash = group(dialog, "Deleted runs in the trash");
  QVERIFY(trash != nullptr && trash->childCount() == 2);
  const quint64 all = dialog->chosenBytes();
  QVERIFY(all > 0);
  const auto shown = [](quint64 bytes) {
    return QLocale().formattedDataSize(qint64(bytes), 1, QLocale::DataSizeSIFormat);
  };
  QCOMPARE(withoutMnemonic(dialog->freeButton()->text()), "Free " + shown(all));
  QVERIFY(dialog->freeButton()->property("primary").toBool());
  QTreeWidgetItem* kept = trash->child(0)->text(0) == "one" ? trash->child(0) : trash->child(1);
  tick(dialog, kept);
  QCOMPARE(trash->checkState(0), Qt::PartiallyChecked);
  QVERIFY(dialog->chosenBytes() < all);
  QCOMPARE(withoutMnemonic(dialog->freeButton()->text()), "Free " + shown(dialog->chosenBytes()));
  const QString path = kept->toolTip(0);
  QTest::mouseClick(dialog->freeButton(), Qt::LeftButton);
  QVERIFY(waitUntil([this] { return trashed().size() == 1; }));
  QVERIFY(QFile::exists(path));
  QVERIFY(waitUntil([this] { return m_window->findChild<CleanDialog*>() == nullptr; }));
  QCOMPARE(m_window->train()->runModel()->rowCount(), 1);  // what was not in the trash is there
}

void CleanDialogTest::cacheIsNotTicked() {
  writeCache();
  CleanDialog* dialog = openDialog();
  QVERIFY(dialog != nullptr);
  QTreeWidgetItem* cache = group(dialog, "Made again when needed");
  QVERIFY(cache != nullptr);
  QCOMPARE(cache->checkState(0), Qt::Unchecked);
  QVERIFY(!dialog->freeButton()->isEnabled());
  tick(dialog, cache);
  QCOMPARE(cache->child(0)->checkState(0), Qt::Checked);
  QCOMPARE(dialog->chosenBytes(), quint64(5000));
}

void CleanDialogTest::groupsTickTheirRows() {
  QVERIFY(trashRun("one") && trashRun("two"));
  CleanDialog* dialog = openDialog();
  QVERIFY(dialog != nullptr);
  QTreeWidgetItem* trash = group(dialog, "Deleted runs in the trash");
  tick(dialog, trash);
  QCOMPARE(trash->child(0)->checkState(0), Qt::Unchecked);
  QVERIFY(!dialog->freeButton()->isEnabled());
  // Another number of checkpoints to keep looks again.
  auto* last = dialog->findChildren<QSpinBox*>().first();
  last->setFocus();
  QTest::keyClick(last, Qt::Key_Up);
  QVERIFY(waitUntil([&] { return dialog->isIdle() && dialog->freeButton()->isEnabled(); }));
  // Enter in a number removes nothing.
  QTest::keyClick(last, Qt::Key_Return);
  QVERIFY(test::staysSo([&] { return trashed().size() == 2 && dialog->isVisible(); }));
}

void CleanDialogTest::escapeRemovesNothing() {
  QVERIFY(trashRun("one"));
  CleanDialog* dialog = openDialog();
  QVERIFY(dialog != nullptr);
  QTest::keyClick(dialog, Qt::Key_Escape);
  QVERIFY(waitUntil([this] { return m_window->findChild<CleanDialog*>() == nullptr; }));
  QCOMPARE(trashed().size(), 1);
}

// Each digit looks anew; the keyboard stays in the box.
void CleanDialogTest::numbersAreTypedInOneGo() {
  QVERIFY(trashRun("one"));
  CleanDialog* dialog = openDialog();
  QVERIFY(dialog != nullptr);
  auto* last = dialog->findChildren<QSpinBox*>().first();
  last->setFocus();
  last->selectAll();
  QTest::keyClick(last, Qt::Key_1);
  const EventCount looks(dialog->findChild<QProgressBar*>(),
                         QEvent::Show);  // a look may end between two polls
  const EventCount locked(last, QEvent::EnabledChange);
  QTest::keyClick(last, Qt::Key_2);
  QVERIFY(waitUntil([&] { return looks.count() > 0; }));
  QTest::keyClick(last, Qt::Key_3);
  QCOMPARE(last->value(), 123);
  QVERIFY(waitUntil([&] { return dialog->isIdle() && dialog->freeButton()->isEnabled(); }));
  QCOMPARE(locked.count(), 0);
}

void CleanDialogTest::failedRemovalIsToldAndLookedAtAgain() {
  QVERIFY(trashRun("one"));
  CleanDialog* dialog = openDialog();
  QVERIFY(dialog != nullptr && dialog->problem().isEmpty());
  const QString library = m_fixture->project() + "/library.sqlite", aside = library + ".aside";
  QVERIFY(QFile::rename(library, aside) && QDir().mkpath(library));
  QTest::mouseClick(dialog->freeButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return dialog->isIdle() && !dialog->problem().isEmpty(); }));
  QVERIFY2(dialog->problem().contains("is not a Fathom project"), qPrintable(dialog->problem()));
  QVERIFY(QDir().rmdir(library) && QFile::rename(aside, library));
  // The line stays while another look says what can go.
  auto* last = dialog->findChildren<QSpinBox*>().first();
  last->setFocus();
  QTest::keyClick(last, Qt::Key_Up);
  QVERIFY(waitUntil([&] { return dialog->isIdle() && dialog->freeButton()->isEnabled(); }));
  QVERIFY(!dialog->problem().isEmpty());
  QSignalSpy cleaned(dialog, &CleanDialog::cleaned);
  QTest::mouseClick(dialog->freeButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return trashed().isEmpty() && cleaned.count() == 1; }));
}

void CleanDialogTest::goesWithItsProject() {
  QVERIFY(trashRun("one"));
  QVERIFY(openDialog() != nullptr);
  const QTemporaryDir folder;
  const QString other = folder.filePath("other.fathom");
  m_window->service()->open(other, true);
  QVERIFY(waitUntil([&] { return m_window->service()->path() == other; }));
  QVERIFY(waitUntil([this] { return m_window->findChild<CleanDialog*>() == nullptr; }));
  CleanDialog* dialog = openDialog();
  QVERIFY(dialog != nullptr);
  QVERIFY2(dialog->windowTitle().contains("other"), qPrintable(dialog->windowTitle()));
  QVERIFY(!dialog->freeButton()->isEnabled());
  QCOMPARE(trashed().size(), 1);
}

QTEST_MAIN(CleanDialogTest)
#include "tst_clean_dialog.moc"
