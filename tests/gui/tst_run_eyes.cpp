// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/drawn_runs.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/run_eyes.h"
#include "views/tables/run_groups.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

// Which runs are drawn is another question than which are selected.
class RunEyesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void theNewestAreDrawnByThemselves();
  void ofTooManyTheNewestAreDrawn();
  void whatWasChosenByHandStays();
  void groupIsTheGridOrTheConfiguration();
  void allAreDrawnAtTheStart();
  void clickOnAnEyeSelectsNothing();
  void spaceHidesTheSelected();
  void menuDrawsAllNoneOnlyAndTheGroup();
  void selectionDimsTheOthers();
  void eyesComeBackWithTheSession();

 private:
  bool open(int runs);
  QTableView* table() const { return m_window->train()->runs()->table(); }
  RunTableModel* model() const { return m_window->train()->runModel(); }
  QModelIndex cell(const char* name, int column) const;
  QString uuid(const char* name) const;
  void clickEye(const char* name, Qt::KeyboardModifiers keys = {});
  void choose(const char* entry);
  QStringList drawn() const;
  QStringList selected() const { return m_window->selection()->of(Dimension::Run).items; }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void RunEyesTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void RunEyesTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

bool RunEyesTest::open(int runs) {
  m_window = m_host->openWindow(m_fixture->project());
  if (!QTest::qWaitForWindowActive(m_window)) return false;
  if (!waitUntil([&] { return m_window->service()->isReady() && model()->rowCount() == runs; })) return false;
  m_window->service()->drain();
  return settled(m_window) && waitUntil([this] { return m_window->jobs()->count() == 0; });
}

QModelIndex RunEyesTest::cell(const char* name, int column) const {
  const QAbstractItemModel* rows = table()->model();
  for (int row = 0; row < rows->rowCount(); ++row)
    if (rows->index(row, RunTableModel::Name).data(Qt::EditRole).toString() == QLatin1String(name))
      return rows->index(row, column);
  return {};
}

QString RunEyesTest::uuid(const char* name) const {
  return cell(name, RunTableModel::Name).data(RunTableModel::UuidRole).toString();
}

void RunEyesTest::clickEye(const char* name, Qt::KeyboardModifiers keys) {
  QTest::mouseClick(table()->viewport(), Qt::LeftButton, keys,
                    table()->visualRect(cell(name, RunTableModel::Eye)).center());
}

void RunEyesTest::choose(const char* entry) {
  auto* button = m_window->findChild<QToolButton*>(QStringLiteral("eyes"));
  QMenu* menu = button->menu();
  menu->popup(button->mapToGlobal(QPoint(0, button->height())));
  auto* action = menu->findChild<QAction*>(QString::fromLatin1(entry));
  QVERIFY(action != nullptr && action->isEnabled());
  QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
}

// Names of the runs that have a curve, in order.
QStringList RunEyesTest::drawn() const {
  m_window->service()->drain();
  QStringList names;
  for (const std::string& run : m_window->train()->curves()->figureRecipe().runs)
    if (const RunItem* item = model()->run(QString::fromStdString(run))) names.append(item->name);
  names.sort();
  return names;
}

void RunEyesTest::theNewestAreDrawnByThemselves() {
  RunEyes eyes;
  eyes.begin(QStringLiteral("project"));
  QVector<RunItem> runs(RunEyes::kNewest + 5);
  const QDateTime start = QDateTime::currentDateTimeUtc();
  for (int i = 0; i < runs.size(); ++i) {
    runs[i].uuid = QString::number(i);
    runs[i].created = start.addSecs(i);
  }
  eyes.setRuns(runs);
  QVERIFY(!eyes.isOpen(QStringLiteral("4")));
  QVERIFY(eyes.isOpen(QStringLiteral("5")));
  eyes.setSelected({QStringLiteral("4")});  // of the older ones what is selected, as long as it is
  QVERIFY(eyes.isOpen(QStringLiteral("4")));
  eyes.setSelected({});
  QVERIFY(!eyes.isOpen(QStringLiteral("4")));
}

void RunEyesTest::ofTooManyTheNewestAreDrawn() {
  RunTableModel model;
  QVector<RunItem> runs(RunEyes::kMost + 5);
  for (int i = 0; i < runs.size(); ++i) {
    runs[i].uuid = QString::number(i);
    runs[i].created = QDateTime::fromSecsSinceEpoch(1'700'000'000 + i, Qt::UTC);
  }
  model.setRuns(runs);
  model.eyes()->openAll();
  DimensionSelection chosen;
  chosen.items = QStringList{"1"};  // whatever is selected comes first
  const DrawnRuns drawn = drawnRuns(model, chosen);
  QCOMPARE(int(drawn.runs.size()), RunEyes::kMost);
  QCOMPARE(drawn.left, 5);
  QCOMPARE(drawn.runs.first().uuid, QStringLiteral("1"));
  QCOMPARE(drawn.runs[1].uuid, QStringLiteral("6"));
  QCOMPARE(drawn.runs.last().uuid, runs.last().uuid);
}

void RunEyesTest::whatWasChosenByHandStays() {
  RunEyes eyes;
  const QString a = QStringLiteral("a"), b = QStringLiteral("b");
  eyes.begin(QStringLiteral("one"));
  eyes.openOnly({a});
  eyes.setSelected({b});
  QVERIFY(eyes.isOpen(a) && !eyes.isOpen(b));
  eyes.toggle({a, b});  // one of them is open: both are closed
  QVERIFY(!eyes.isOpen(a) && !eyes.isOpen(b));
  eyes.toggle({a, b});
  QVERIFY(eyes.isOpen(a) && eyes.isOpen(b));
  eyes.begin(QStringLiteral("two"));
  QVERIFY(!eyes.isOpen(a));
  eyes.openAll();
  const Json kept = eyes.save();
  RunEyes later;
  later.restore(kept);
  later.begin(QStringLiteral("one"));
  QVERIFY(later.isOpen(a) && !later.isOpen(QStringLiteral("c")));
  later.begin(QStringLiteral("two"));
  QVERIFY(later.isOpen(QStringLiteral("c")));
  for (const char* broken : {"3", "[3, null, {}]", R"([{"project": "one", "rest": 7, "open": [1, {}]}])"}) {
    RunEyes other;
    other.restore(Json::parse(broken));
    other.begin(QStringLiteral("one"));
    QVERIFY(!other.isOpen(a));
  }
}

void RunEyesTest::groupIsTheGridOrTheConfiguration() {
  QVector<RunItem> runs(6);
  for (int i = 0; i < runs.size(); ++i) runs[i].uuid = QString::number(i);
  runs[0].config = Json{{"rate", 1}, {"seed", 1}};
  runs[1].config = Json{{"rate", 1}, {"seed", 2}};
  runs[2].config = Json{{"rate", 2}, {"seed", 1}};
  runs[3].config = runs[0].config;
  runs[3].grid = runs[4].grid = QStringLiteral("g");
  QCOMPARE(configurationOf(runs[0]), configurationOf(runs[1]));
  QVERIFY(configurationOf(runs[0]) != configurationOf(runs[2]));
  QVERIFY(configurationOf(runs[0]) != configurationOf(runs[3]));  // of another grid
  QCOMPARE(groupsOf({QStringLiteral("1")}, runs), QStringList({"0", "1"}));
  QCOMPARE(groupsOf({QStringLiteral("4")}, runs), QStringList({"3", "4"}));
  QCOMPARE(groupsOf({}, runs), QStringList());
}

void RunEyesTest::allAreDrawnAtTheStart() {
  for (const char* name : {"a", "b", "c"}) m_fixture->addRun(name);
  QVERIFY(open(3));
  QCOMPARE(drawn(), QStringList({"a", "b", "c"}));
  QCOMPARE(selected().size(), 1);
  QCOMPARE(table()->horizontalHeader()->visualIndex(RunTableModel::Eye), 0);
}

void RunEyesTest::clickOnAnEyeSelectsNothing() {
  for (const char* name : {"a", "b", "c"}) m_fixture->addRun(name);
  QVERIFY(open(3));
  const QStringList before = selected();
  clickEye("a");
  QCOMPARE(drawn(), QStringList({"b", "c"}));
  QCOMPARE(cell("a", RunTableModel::Eye).data(Qt::AccessibleTextRole).toString(),
           QStringLiteral("not drawn"));
  clickEye("b");
  QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {},
                     table()->visualRect(cell("b", RunTableModel::Eye)).center());
  QCOMPARE(selected(), before);
  clickEye("a");
  QCOMPARE(drawn(), QStringList({"a", "b", "c"}));
  clickEye("c", Qt::AltModifier);
  QCOMPARE(drawn(), QStringList({"c"}));
  QCOMPARE(selected(), before);
}

void RunEyesTest::spaceHidesTheSelected() {
  for (const char* name : {"a", "b", "c"}) m_fixture->addRun(name);
  QVERIFY(open(3));
  m_window->selection()->set(Dimension::Run, {uuid("a"), uuid("b")}, uuid("a"), nullptr);
  table()->setFocus();
  QTest::keyClick(table(), Qt::Key_Space);
  QCOMPARE(drawn(), QStringList({"c"}));
  QCOMPARE(selected(), QStringList({uuid("a"), uuid("b")}));
  QTest::keyClick(table(), Qt::Key_Space);
  QCOMPARE(drawn(), QStringList({"a", "b", "c"}));
  // On a star the key is the star's.
  table()->setCurrentIndex(cell("a", RunTableModel::Star));
  QTest::keyClick(table(), Qt::Key_Space);
  QVERIFY(waitUntil([&] { return model()->run(uuid("a"))->star; }));
  QCOMPARE(drawn(), QStringList({"a", "b", "c"}));
}

void RunEyesTest::menuDrawsAllNoneOnlyAndTheGroup() {
  for (const char* name : {"a", "b", "c"}) m_fixture->addRun(name);
  QVERIFY(open(3));
  m_window->selection()->set(Dimension::Run, {uuid("b")}, uuid("b"), nullptr);
  choose("eyesOnly");
  QCOMPARE(drawn(), QStringList({"b"}));
  choose("eyesNone");
  QCOMPARE(drawn(), QStringList());
  choose("eyesGroup");  // they differ in nothing
  QCOMPARE(drawn(), QStringList({"a", "b", "c"}));
  choose("eyesToggle");
  QCOMPARE(drawn(), QStringList({"a", "c"}));
  choose("eyesAll");
  QCOMPARE(drawn(), QStringList({"a", "b", "c"}));
  QCOMPARE(selected(), QStringList(uuid("b")));
}

void RunEyesTest::selectionDimsTheOthers() {
  for (const char* name : {"a", "b", "c"}) m_fixture->addRun(name);
  QVERIFY(open(3));
  CurvePanel* panel = m_window->train()->curves()->panel();
  const auto pale = [&] {
    m_window->service()->drain();
    panel->drawNow();
    int count = 0;
    for (const FigureMark& mark : panel->canvas()->spec().panels.front().marks)
      if (!mark.label.empty() && mark.style.opacity < 1) ++count;
    return count;
  };
  QVERIFY(waitUntil([&] { return pale() == 2; }));
  m_window->selection()->set(Dimension::Run, {uuid("a"), uuid("b")}, uuid("a"), nullptr);
  QCOMPARE(pale(), 1);
  m_window->selection()->set(Dimension::Run, {uuid("a"), uuid("b"), uuid("c")}, uuid("a"), nullptr);
  QCOMPARE(pale(), 0);
  m_window->selection()->set(Dimension::Run, {}, {}, nullptr);
  QCOMPARE(pale(), 0);
}

void RunEyesTest::eyesComeBackWithTheSession() {
  for (const char* name : {"a", "b", "c"}) m_fixture->addRun(name);
  QVERIFY(open(3));
  clickEye("b");
  m_window->close();
  m_host.reset();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QVERIFY(open(3));
  QCOMPARE(drawn(), QStringList({"a", "c"}));
}

QTEST_MAIN(RunEyesTest)
#include "tst_run_eyes.moc"
