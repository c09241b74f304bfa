// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QFont>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>
#include <QTest>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/run_table_delegate.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/name_delegate.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

// The run table in the dock it has at first: state and progress are in sight at any text size, and widths
// that a person chose stay.
class RunColumnsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { m_font = QApplication::font(); }
  void init();
  void cleanup();
  void stateAndProgressAreInSight_data();
  void stateAndProgressAreInSight();
  void namesAreWholeWhereThereIsRoom();
  void longestNameIsWhole_data();
  void longestNameIsWhole();
  void cutNamesKeepTheirBeginning();
  void nameGivesWayFirst();
  void chosenWidthsStay();
  void oldLayoutsKeepWhatWasChosen();
  void firstColumnIsNotCut();

 private:
  bool open();
  void scale(double factor) {
    QFont font = m_font;
    font.setPointSizeF(m_font.pointSizeF() * factor);
    QApplication::setFont(font);
  }
  QTableView* table() const { return m_window->train()->runs()->table(); }
  int right(int column) const {
    return table()->columnViewportPosition(column) + table()->columnWidth(column);
  }
  QFont m_font;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void RunColumnsTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  // Nothing that both begin or end with: the table shows them whole.
  for (const char* name : {"a run with a long name, seed 1", "another one, whose name is as long"})
    m_fixture->addRun(name, 2400);
}

void RunColumnsTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
  QApplication::setFont(m_font);
}

bool RunColumnsTest::open() {
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  m_window->resize(1280, 800);
  const auto shown = [&] {
    return m_window->train()->runModel()->rowCount() == 2 && m_window->jobs()->count() == 0;
  };
  return QTest::qWaitForWindowActive(m_window) && waitUntil(shown) && m_window->width() == 1280;
}

void RunColumnsTest::stateAndProgressAreInSight_data() {
  QTest::addColumn<double>("factor");
  for (const double factor : {1.0, 1.15, 1.3}) QTest::newRow(qPrintable(QString::number(factor))) << factor;
}

void RunColumnsTest::stateAndProgressAreInSight() {
  QFETCH(double, factor);
  scale(factor);
  QVERIFY(open());
  // Columns are fitted again 0.4 s after the runs came, and again when they have numbers.
  const auto allFit = [&] { return table()->horizontalScrollBar()->maximum() == 0; };
  QVERIFY(waitUntil([&] { return test::staysSo(allFit, 500); }));
  QCOMPARE(table()->horizontalHeader()->offset(), 0);
  const QFontMetrics text = table()->fontMetrics();
  for (const int column : {RunTableModel::Name, RunTableModel::State, RunTableModel::Progress}) {
    QVERIFY2(right(column) <= table()->viewport()->width(),
             qPrintable(QStringLiteral("column %1 ends at %2 of %3")
                            .arg(column)
                            .arg(right(column))
                            .arg(table()->viewport()->width())));
  }
  QVERIFY(table()->columnWidth(RunTableModel::Name) > 6 * text.horizontalAdvance(QLatin1Char('0')));
  // The state is an icon; score, number of updates and time are whole.
  QVERIFY(table()->columnWidth(RunTableModel::State) >= 16);
  QCOMPARE(table()->horizontalScrollBar()->maximum(), 0);
  for (const int column :
       {int(RunTableModel::FixedColumns), int(RunTableModel::Progress), int(RunTableModel::Duration)}) {
    QVERIFY(!table()->isColumnHidden(column));
    const QString shown = table()->model()->index(0, column).data().toString();
    QVERIFY2(text.horizontalAdvance(shown) + 8 <= table()->columnWidth(column), qPrintable(shown));
  }
}

// Beside the swatch and its margins, as they are drawn.
void RunColumnsTest::namesAreWholeWhereThereIsRoom() {
  QVERIFY(open());
  m_window->train()->runs()->setFixedWidth(900);
  const auto* delegate = qobject_cast<const RunTableDelegate*>(table()->itemDelegate());
  QVERIFY(delegate != nullptr);
  for (int row = 0; row < 2; ++row) {
    const QModelIndex index = table()->model()->index(row, RunTableModel::Name);
    const auto whole = [&] { return delegate->shownName(table(), index) == index.data().toString(); };
    QVERIFY2(waitUntil(whole), qPrintable(delegate->shownName(table(), index)));
  }
  table()->setColumnWidth(RunTableModel::Name, 90);
  const QModelIndex first = table()->model()->index(0, RunTableModel::Name);
  QVERIFY(delegate->shownName(table(), first) != first.data().toString());
}

void RunColumnsTest::longestNameIsWhole_data() {
  QTest::addColumn<QString>("name");
  QTest::newRow("Latin") << QStringLiteral(
      "schemes of the deep one · Post-LN · 12 L · WMT'17 English-German · seed 1 of five");
  QTest::newRow("Chinese") << QStringLiteral(
      "深层网络的残差方案比较实验第一组结果十二层后置归一化随机种子一号");
}

// Wherever it stands among hundreds, in whatever letters: it takes all the room there is.
void RunColumnsTest::longestNameIsWhole() {
  QFETCH(QString, name);
  RunTableModel model;
  QVector<RunItem> runs(300);
  for (int i = 0; i < runs.size(); ++i) {
    runs[i].uuid = QString::number(i);
    runs[i].name = QStringLiteral("run %1").arg(i);
  }
  runs[101].name = name;
  model.setRuns(runs);
  RunTablePanel panel(&model);
  panel.resize(1100, 400);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  const QString shown =
      model.index(model.rowOf(QStringLiteral("101")), RunTableModel::Name).data().toString();
  const int needs = panel.table()->fontMetrics().horizontalAdvance(shown);
  QVERIFY2(
      waitUntil([&] { return panel.table()->columnWidth(RunTableModel::Name) >= needs + 40; }),
      qPrintable(QStringLiteral("%1 of %2").arg(panel.table()->columnWidth(RunTableModel::Name)).arg(needs)));
}

void RunColumnsTest::cutNamesKeepTheirBeginning() {
  const QStringList names = {"schemes · Post-LN · 1 L", "schemes · Pre-LN · 1 L"};
  const QFont font;
  const QFontMetrics text(font);
  const auto shown = namesInRoom(names, font, text.horizontalAdvance(names[0]) - 4);
  QVERIFY2(shown[0].startsWith("sch") && shown[0].endsWith("… · Post-LN · 1 L"), qPrintable(shown[0]));
  QCOMPARE(shown[1], names[1]);
  // Where three letters have no place it goes first.
  const auto narrow = namesInRoom(names, font, text.horizontalAdvance("… Post-LN · 1 L") + 2);
  QCOMPARE(narrow[0], QStringLiteral("… Post-LN · 1 L"));
}

void RunColumnsTest::nameGivesWayFirst() {
  QVERIFY(open());
  const int name = table()->columnWidth(RunTableModel::Name);
  const int state = table()->columnWidth(RunTableModel::State);
  m_window->train()->runs()->setFixedWidth(name + 150);
  QVERIFY(waitUntil([&] { return table()->columnWidth(RunTableModel::Name) < name; }));
  QVERIFY(right(RunTableModel::Progress) <= table()->viewport()->width());
  QCOMPARE(table()->columnWidth(RunTableModel::State), state);
  m_window->train()->runs()->setFixedWidth(700);
  QVERIFY(waitUntil([&] { return table()->columnWidth(RunTableModel::Name) >= name; }));
}

void RunColumnsTest::chosenWidthsStay() {
  scale(1.3);
  QVERIFY(open());
  const int before = table()->columnWidth(RunTableModel::State);
  // The edge between two heads, dragged.
  QWidget* head = table()->horizontalHeader()->viewport();
  const QPoint edge(right(RunTableModel::Name) - 1, head->height() / 2);
  QTest::mousePress(head, Qt::LeftButton, {}, edge);
  QTest::mouseMove(head, edge + QPoint(60, 0));
  QTest::mouseMove(head, edge + QPoint(120, 0));
  QTest::mouseRelease(head, Qt::LeftButton, {}, edge + QPoint(120, 0));
  const int chosen = table()->columnWidth(RunTableModel::Name);
  QVERIFY(chosen >= 200);
  m_window->resize(1100, 700);
  QVERIFY(settled(m_window));
  QCOMPARE(table()->columnWidth(RunTableModel::Name), chosen);
  m_window->close();
  m_host.reset();
  scale(1.0);
  QVERIFY(open());
  QCOMPARE(table()->columnWidth(RunTableModel::Name), chosen);
  QVERIFY(table()->columnWidth(RunTableModel::State) <=
          before);  // nobody chose that one: it follows the text
}

// Layouts of before: only what differs from the usual was chosen.
void RunColumnsTest::oldLayoutsKeepWhatWasChosen() {
  RunTableModel model;
  RunItem run;
  run.uuid = run.name = QStringLiteral("one");
  model.setRuns({run});
  RunTablePanel panel(&model);
  panel.resize(900, 400);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  const int usual = panel.table()->columnWidth(RunTableModel::State);
  const QByteArray old =
      R"({"columns":[{"id":"name","width":333},{"id":"started","width":0},{"id":"state","width":)" +
      QByteArray::number(usual) + R"(}]})";
  panel.restoreLayout(old);
  QCOMPARE(panel.table()->columnWidth(RunTableModel::Name), 333);
  const Json kept = Json::parse(panel.saveLayout().toStdString());
  for (const Json& column : kept["columns"]) QCOMPARE(column["chosen"].get<bool>(), column["id"] == "name");
  QVERIFY(panel.table()->isColumnHidden(RunTableModel::Started));  // although there is room
}

// A selection from elsewhere does not move the table sideways, and brings back a column that was cut.
void RunColumnsTest::firstColumnIsNotCut() {
  QVERIFY(open());
  QScrollBar* bar = table()->horizontalScrollBar();
  table()->setColumnWidth(RunTableModel::Progress, 500);
  const auto& runs = m_window->train()->runModel()->runs();
  QTRY_VERIFY2(bar->maximum() >= 150, qPrintable(QString::number(bar->maximum())));
  bar->setValue(20);
  QCOMPARE(bar->value(), 20);
  m_window->train()->runs()->selectRuns({runs.last().uuid});
  QCOMPARE(bar->value(), 0);
  bar->setValue(150);
  const int far = bar->value();
  QVERIFY(far > table()->columnWidth(RunTableModel::Star));
  m_window->train()->runs()->selectRuns({runs.first().uuid});
  QCOMPARE(bar->value(), far);
}

QTEST_MAIN(RunColumnsTest)
#include "tst_run_columns.moc"
