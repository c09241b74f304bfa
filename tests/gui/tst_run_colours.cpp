// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QColorDialog>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

#include "app/recipes/library_source.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/run_actions.h"
#include "app/window/train/train_workspace.h"
#include "core/base/numbers/series_look.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/run_looks.h"
#include "tests/gui/support_window_fixture.h"
#include "views/figure/figure_colours.h"
#include "views/look/theme.h"
#include "views/panels/train/run_table_delegate.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/run_names.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

// The look and the name of a run, as the project keeps it and as a person changes it.
class RunColoursTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void seedsShareTheirHueInEveryWindow();
  void aPersonChoosesOne();
  void anyColourComesFromTheDialog();
  void waitingRunHasTheColourItWillHave();
  void everyLookStandsOut();
  void swatchesShowTheDashes();
  void gridMembersAreCalledByTheirValues();
  void narrowColumnTellsRunsApart();

 private:
  bool open(int runs);
  RunItem item(const std::string& path) const {
    return *model()->run(QString::fromStdString(RunFolder(path).identity()->uuid));
  }
  const RunTableModel* model() const { return m_window->train()->runModel(); }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void RunColoursTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(QueueFolder(m_fixture->project().toStdString()).setSettings(paused).ok());
}

void RunColoursTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

bool RunColoursTest::open(int runs) {
  m_window = m_host->openWindow(m_fixture->project());
  return QTest::qWaitForWindowActive(m_window) &&
         waitUntil([&] { return m_window->service()->isReady() && model()->rowCount() == runs; });
}

// The runs of the fixture differ in nothing: one hue, other dashes; and a restart changes nothing.
void RunColoursTest::seedsShareTheirHueInEveryWindow() {
  const std::string one = m_fixture->addRun("one"), two = m_fixture->addRun("two");
  QVERIFY(open(2));
  const SeriesLook first = seriesLook(item(one).colour), second = seriesLook(item(two).colour);
  QCOMPARE(first.hue, second.hue);
  QVERIFY(first.dash != second.dash);
  const int before = item(two).colour;
  m_host.reset();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QVERIFY(open(2));
  QCOMPARE(item(two).colour, before);
  // A figure of it alone has the same.
  auto library = ProjectLibrary::open(m_fixture->project().toStdString()).value();
  auto row = findRun(*library, item(two).uuid.toStdString()).value();
  const std::string uuid = row.identity.uuid;
  const auto source = LibrarySource::open(m_fixture->project().toStdString(), {std::move(row)}).value();
  QCOMPARE(source->colourOf(uuid), before);
}

void RunColoursTest::aPersonChoosesOne() {
  const std::string one = m_fixture->addRun("one"), two = m_fixture->addRun("two");
  QVERIFY(open(2));
  const RunItem before = item(two);
  m_window->selection()->set(Dimension::Run, {before.uuid}, before.uuid, nullptr);
  QMenu* colours = m_window->action("run.colour")->menu();
  QVERIFY(m_window->action("run.colour")->isEnabled());
  QAction* green = nullptr;
  for (QAction* action : colours->actions())
    if (!action->icon().isNull() && action->text() == RunActions::tr("Green")) green = action;
  QVERIFY(green != nullptr);
  colours->popup(m_window->mapToGlobal(QPoint(50, 50)));
  QTest::mouseClick(colours, Qt::LeftButton, {}, colours->actionGeometry(green).center());
  QVERIFY(waitUntil([&] { return seriesLook(item(two).colour).hue == 2; }));
  QCOMPARE(seriesLook(item(two).colour).dash, seriesLook(before.colour).dash);
  QCOMPARE(item(one).colour, model()->run(item(one).uuid)->colour);
  m_window->undoStack()->undo();
  QVERIFY(waitUntil([&] { return item(two).colour == before.colour; }));
}

// "Other…" opens a dialog of colours; what it gives is the run's colour, and can be undone.
void RunColoursTest::anyColourComesFromTheDialog() {
  const std::string one = m_fixture->addRun("one");
  QVERIFY(open(1));
  const RunItem before = item(one);
  m_window->selection()->set(Dimension::Run, {before.uuid}, before.uuid, nullptr);
  QAction* other = nullptr;
  for (QAction* action : m_window->action("run.colour")->menu()->actions())
    if (action->objectName() == QLatin1String("run.colour.other")) other = action;
  QVERIFY(other != nullptr);
  other->trigger();
  const auto dialog = [this] { return m_window->findChild<QColorDialog*>(); };
  QVERIFY(waitUntil([&] { return dialog() != nullptr && dialog()->isVisible(); }));
  QCOMPARE(dialog()->currentColor(), lookColour(before.colour, false));
  dialog()->setCurrentColor(QColor(0x12, 0x34, 0xa6));
  dialog()->accept();
  QVERIFY(waitUntil([&] { return seriesLook(item(one).colour).rgb == 0x1234a6U; }));
  m_window->undoStack()->undo();
  QVERIFY(waitUntil([&] { return item(one).colour == before.colour; }));
}

void RunColoursTest::waitingRunHasTheColourItWillHave() {
  auto library = ProjectLibrary::open(m_fixture->project().toStdString()).value();
  QueueEntry entry;
  entry.uuid = "waits";
  entry.config = {{"format", 1}, {"name", "waits"}, {"options", {{"rate", 3}}}};
  QVERIFY(QueueFolder(m_fixture->project().toStdString()).add(entry).ok());
  QVERIFY(giveLooks(*library, {{"other", {{"rate", 1}}}, {"waits", {{"rate", 3}}}}).ok());
  QVERIFY(open(1));
  QCOMPARE(model()->runs().front().colour, 1);
}

// On both papers; what a person chooses, too.
void RunColoursTest::everyLookStandsOut() {
  for (const bool dark : {false, true}) {
    const QColor paper = dark ? Theme::darkTheme().panel : Theme::light().panel;
    for (int number = 0; number < kSeriesHues * kSeriesVariants; ++number) {
      const SeriesLook look = seriesLook(number);
      // Okabe-Ito as published (tst_theme); its shades stand out more.
      const bool pale = !dark && look.shade == 0 && look.hue >= 3 && look.hue <= 5;
      QVERIFY2(contrastRatio(lookColour(number, dark), paper) >= (pale ? 2.2 : 3.0),
               qPrintable(QStringLiteral("%1, dark %2").arg(number).arg(dark)));
    }
    for (const std::uint32_t rgb : {0xffff00U, 0x000033U, 0x808080U, 0xffffffU})
      QVERIFY(contrastRatio(lookColour(inColour(0, rgb), dark), paper) >= 3.0);
  }
}

void RunColoursTest::swatchesShowTheDashes() {
  m_fixture->addRun("one");
  m_fixture->addRun("two");
  QVERIFY(open(2));
  QTableView* table = m_window->train()->runs()->table();
  QVector<int> painted;
  for (int row = 0; row < 2; ++row) {
    QImage image(160, 24, QImage::Format_ARGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.initFrom(table);
    option.widget = table;
    option.rect = image.rect();
    const QModelIndex index = table->model()->index(row, RunTableModel::Name);
    table->itemDelegateForIndex(index)->paint(&painter, option, index);
    painter.end();
    const QColor ink = Theme::of(table->palette()).run(index.data(RunTableModel::ColourRole).toInt());
    int count = 0;
    for (int x = 0; x < 28; ++x) count += image.pixelColor(x, 12) == ink ? 1 : 0;
    painted.append(count);
  }
  std::sort(painted.begin(), painted.end());
  QVERIFY2(painted[0] > 6 && painted[0] < painted[1] - 3, qPrintable(QString::number(painted[0])));
}

void RunColoursTest::gridMembersAreCalledByTheirValues() {
  const std::string one = m_fixture->addRun("g post_ln seed 1"), two = m_fixture->addRun("g admin seed 1");
  auto library = ProjectLibrary::open(m_fixture->project().toStdString()).value();
  GridRecord grid;
  grid.uuid = "grid";
  grid.name = "g";
  grid.axes = {{{"key", "scheme"},
                {"values",
                 {{{"name", "Post-LN"}, {"options", Json::object()}},
                  {{"name", "Admin"}, {"options", Json::object()}}}}},
               {{"key", "seed"}, {"values", {1}}}};
  grid.runs = {RunFolder(one).identity()->uuid, RunFolder(two).identity()->uuid};
  QVERIFY(library->setGrid(grid).ok());
  QVERIFY(open(2));
  QVERIFY(waitUntil([&] { return model()->shownName(item(one).uuid) == QStringLiteral("Post-LN"); }));
  QCOMPARE(model()->shownName(item(two).uuid), QStringLiteral("Admin"));
  QCOMPARE(item(two).name, QStringLiteral("g admin seed 1"));
  const QModelIndex cell = model()->index(model()->rowOf(item(two).uuid), RunTableModel::Name);
  QVERIFY(cell.data(Qt::ToolTipRole).toString().startsWith(QStringLiteral("g admin seed 1")));
  // The filter knows both.
  RunFilterModel filter;
  filter.setSourceModel(m_window->train()->runModel());
  for (const char* words : {"Post-LN", "post_ln", "/post_ln/", "/Post-LN/"}) {
    QVERIFY(filter.setFilter(QString::fromLatin1(words)));
    QCOMPARE(filter.rowCount(), 1);
  }
}

void RunColoursTest::narrowColumnTellsRunsApart() {
  m_fixture->addRun("a very long name of a run that ends with the first word");
  m_fixture->addRun("b very long name of a run that ends with the first word");
  m_fixture->addRun("a very long name of a run that ends with the other words");
  QVERIFY(open(3));
  QTableView* table = m_window->train()->runs()->table();
  const auto* delegate = qobject_cast<const RunTableDelegate*>(
      table->itemDelegateForIndex(table->model()->index(0, RunTableModel::Name)));
  QVERIFY(delegate != nullptr);
  QSet<QString> shown;
  for (int row = 0; row < 3; ++row) {
    QStyleOptionViewItem option;
    option.initFrom(table);
    option.widget = table;
    const QString text = delegate->cutName(option, table->model()->index(row, RunTableModel::Name), 110);
    QVERIFY(option.fontMetrics.horizontalAdvance(text) <= 110);
    shown.insert(text);
  }
  QCOMPARE(shown.size(), 3);
}

QTEST_MAIN(RunColoursTest)
#include "tst_run_colours.moc"
