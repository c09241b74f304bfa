// SPDX-License-Identifier: Apache-2.0
// Runs are grouped by an option or by their names, in the table and for the bands of seeds, project by
// project.
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/group_bar.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/grouping_choice.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

class GroupBarTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup() { m_host.reset(); }
  void anOptionGroups();
  void aNamePatternIsTypedAndKept();
  void whatIsNotUnderstoodIsSaid();
  void enterTakesItAtOnce();

 private:
  MainWindow* open();
  RunTablePanel* panel() const { return m_window->train()->runs(); }
  QAction* choice(const QString& text) const;
  QStringList names() const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void GroupBarTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  for (const char* name : {"deep_s1", "deep_s2", "wide_s1", "wide_s2", "lone"}) m_fixture->addRun(name);
}

MainWindow* GroupBarTest::open() {
  m_window = m_host->openWindow(m_fixture->project());
  const bool ready = QTest::qWaitForWindowActive(m_window) &&
                     waitUntil([&] { return m_window->train()->runModel()->rowCount() == 5; });
  return ready ? m_window : nullptr;
}

// The menu is filled as when it is opened.
QAction* GroupBarTest::choice(const QString& text) const {
  auto* menu = panel()->findChild<QToolButton*>(QStringLiteral("columns"))->menu();
  Q_EMIT menu->aboutToShow();
  for (QAction* action : menu->findChild<QMenu*>(QStringLiteral("groupMenu"))->actions())
    if (action->text() == text) return action;
  return nullptr;
}

QStringList GroupBarTest::names() const {
  QStringList names;
  const QAbstractItemModel* model = panel()->table()->model();
  for (int row = 0; row < model->rowCount(); ++row)
    names.append(model->index(row, RunTableModel::Name).data().toString());
  names.sort();
  return names;
}

void GroupBarTest::anOptionGroups() {
  QVERIFY(open() != nullptr);
  QVERIFY(!panel()->groupBar()->isVisible());
  choice("The name without its number")->trigger();
  QCOMPARE(names(), QStringList({"deep   n = 2", "lone", "wide   n = 2"}));
  QVERIFY(panel()->groupBar()->isVisible());
  QVERIFY(choice("The name without its number")->isChecked());
  QTest::keyClick(panel()->groupBar()->line(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(panel()->groupBar()->line(), "fake.steps");
  QTRY_COMPARE(names(), QStringList({"fake.steps=20   n = 5"}));
  // The bands of seeds are those of the groups.
  QVERIFY(waitUntil(
      [&] { return m_window->train()->curves()->panel()->figureOptions().join(u',').contains("metric="); }));
  QTest::mouseClick(panel()->findChild<QToolButton*>(QStringLiteral("groupClose")), Qt::LeftButton);
  QCOMPARE(names().size(), 5);
  QVERIFY(!panel()->groupBar()->isVisible());
}

void GroupBarTest::aNamePatternIsTypedAndKept() {
  QVERIFY(open() != nullptr);
  choice("Options or a name pattern…")->trigger();
  QTRY_VERIFY(panel()->groupBar()->line()->hasFocus());
  QSignalSpy groups(m_window->train()->runModel()->grouping(), &GroupingChoice::changed);
  QTest::keyClicks(panel()->groupBar()->line(), "name:*_s#");
  QCOMPARE(groups.count(), 0);  // the table rests while somebody writes
  QTRY_COMPARE(groups.count(), 1);
  QTRY_COMPARE(names(), QStringList({"deep   n = 2", "lone", "wide   n = 2"}));
  m_window->close();
  m_host.reset();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QVERIFY(open() != nullptr);
  QVERIFY(waitUntil([&] { return names().contains("deep   n = 2"); }));
  QTRY_VERIFY(panel()->groupBar()->isVisible());
  QCOMPARE(panel()->groupBar()->line()->text(), QStringLiteral("name:*_s#"));
  const QString other = m_fixture->project() + QStringLiteral(".other");
  (void)ProjectLibrary::create(other.toStdString()).value();
  m_window->train()->runModel()->grouping()->begin(other);
  QVERIFY(m_window->train()->runModel()->grouping()->bySeeds());
}

void GroupBarTest::whatIsNotUnderstoodIsSaid() {
  QVERIFY(open() != nullptr);
  choice("Options or a name pattern…")->trigger();
  QLineEdit* line = panel()->groupBar()->line();
  QTRY_VERIFY(line->hasFocus());
  QTest::keyClicks(line, "name:deep");
  const auto* problem = panel()->findChild<QLabel*>(QStringLiteral("groupProblem"));
  QTRY_VERIFY(problem->isVisible() && problem->text().contains("has no *"));
  QTest::keyClick(line, Qt::Key_Escape);
  QVERIFY(!panel()->groupBar()->isVisible() || line->text() == "name:");
}

void GroupBarTest::enterTakesItAtOnce() {
  QVERIFY(open() != nullptr);
  choice("Options or a name pattern…")->trigger();
  QLineEdit* line = panel()->groupBar()->line();
  QTRY_VERIFY(line->hasFocus());
  QTest::keyClicks(line, "name:*_s#");
  QCOMPARE(names().size(), 5);
  QTest::keyClick(line, Qt::Key_Return);
  QCOMPARE(names(), QStringList({"deep   n = 2", "lone", "wide   n = 2"}));
}

QTEST_MAIN(GroupBarTest)
#include "tst_group_bar.moc"
