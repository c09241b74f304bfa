// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <fstream>

#include "app/window/jobs/run_details_reader.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/theme.h"
#include "views/panels/train/init_report_view.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/widgets/elided_header.h"
#include "views/panels/widgets/fold_bar.h"
#include "views/tables/init_report_model.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

namespace {

// What a header gives its style to paint.
QString paintedTitle(const ElidedHeader* header, int section) {
  struct Open : ElidedHeader {
    using ElidedHeader::initStyleOptionForIndex;
  };
  QStyleOptionHeaderV2 option;
  option.initFrom(header);
  (header->*(&Open::initStyleOptionForIndex))(&option, section);
  return option.text;
}

}  // namespace

// The details of a run: what its initialisation did, as recorded or worked out by the engine on request.
class RunDetailsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void modelKeepsTheContract();
  void recordedReportIsShown();
  void missingReportIsMade();
  void engineThatFailsIsExplained();
  void everyTabIsSeen();
  void pagesAreChosenByKeys();
  void originHasTitles();
  void commandOfAnotherProgram();
  void initialisationHasItsTitle();
  void longNamesEndInTheHeader();
  void pathsAreWrappedAndCopied();
  void scoresUseTheRoomThereIs();
  void scoresStandBelowEachOther();
  void oneUpdateIsNoPlural();

 private:
  MainWindow* open();
  // The table of initial values, after its tab was opened.
  static QTableView* table(MainWindow* window);
  static QPushButton* button(MainWindow* window);
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
};

void RunDetailsTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void RunDetailsTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

MainWindow* RunDetailsTest::open() {
  MainWindow* window = m_host->openWindow(m_fixture->project());
  window->resize(1440, 800);  // the details stand beside the curves
  if (!QTest::qWaitForWindowActive(window) || !waitUntil([&] {
        return !window->train()->details()->currentRun().isEmpty() && window->jobs()->count() == 0;
      }))
    return nullptr;
  window->service()->drain();
  for (auto* tabs : window->train()->details()->findChildren<QTabWidget*>())
    tabs->setCurrentWidget(window->train()->details()->initReport());
  return window;
}

QTableView* RunDetailsTest::table(MainWindow* window) {
  return window->train()->details()->initReport()->findChild<QTableView*>();
}

QPushButton* RunDetailsTest::button(MainWindow* window) {
  for (auto* each : window->train()->details()->initReport()->findChildren<QPushButton*>())
    if (each->isVisible()) return each;
  return nullptr;
}

void RunDetailsTest::modelKeepsTheContract() {
  InitReportModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const Json row = {{"name", "a.weight"}, {"shape", {2, 3}}, {"rule", "normal"}, {"base_std", 0.02},
                    {"factor", 0.5},      {"std", "NaN"},    {"mean", 0}};
  Json plain = row;
  plain["name"] = "b.weight";
  plain["factor"] = 1.0;
  model.setRows({row, plain, {{"name", 7}}, "no row"});
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.scaled(), 1);
  QCOMPARE(model.index(0, InitReportModel::Factor).data().toString(), QStringLiteral("0.5"));
  QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("2 × 3"));
  model.setOnlyScaled(true);
  QCOMPARE(model.rowCount(), 1);
  QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("a.weight"));
}

void RunDetailsTest::recordedReportIsShown() {
  const std::string path = m_fixture->addRun("one");
  const Json row = {{"name", "encoder.layers.0.output.weight"},
                    {"shape", {4, 4}},
                    {"rule", "uniform"},
                    {"base_std", 0.1},
                    {"factor", 0.67},
                    {"std", 0.067},
                    {"mean", 0.0}};
  const Json details = {{"initialisation", {{"init", "t_fixup"}, {"seed", 1}, {"rows", {row}}}}};
  QVERIFY(writeFileAtomically(path + "/attempts/0001/details.json", details.dump()).ok());
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return table(window)->isVisible(); }));
  QCOMPARE(table(window)->model()->rowCount(), 1);
  QCOMPARE(table(window)->model()->index(0, InitReportModel::Factor).data().toString(),
           QStringLiteral("0.67"));
  bool said = false;
  for (const QLabel* label : window->train()->details()->initReport()->findChildren<QLabel*>())
    said = said || (label->isVisible() && label->text().contains("t_fixup: 1 of 1"));
  QVERIFY(said);
}

void RunDetailsTest::missingReportIsMade() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return button(window) != nullptr; }));
  QVERIFY(!table(window)->isVisible());
  QTest::mouseClick(button(window), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return table(window)->isVisible(); }));
  QCOMPARE(table(window)->model()->rowCount(), 20);  // fake.steps of the run
  auto* scaled = window->train()->details()->initReport()->findChild<QToolButton*>();
  QTest::mouseClick(scaled, Qt::LeftButton);
  QCOMPARE(table(window)->model()->rowCount(), 10);
}

void RunDetailsTest::engineThatFailsIsExplained() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return button(window) != nullptr; }));
  qputenv("FATHOM_ENGINE", "/nowhere/fathom-engine");
  QTest::mouseClick(button(window), Qt::LeftButton);
  const auto said = [&] {
    for (const QLabel* label : window->train()->details()->initReport()->findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains("/nowhere/fathom-engine")) return true;
    return false;
  };
  QVERIFY(waitUntil(said));
  QVERIFY(waitUntil([&] { return button(window) != nullptr; }));  // and may be tried again
}

void RunDetailsTest::everyTabIsSeen() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  auto* tabs = window->train()->details()->findChild<QTabWidget*>();
  QVERIFY(tabs != nullptr && tabs->isVisible());
  const auto* choice = tabs->parentWidget()->findChild<QComboBox*>("pages");
  QVERIFY(choice != nullptr);
  for (const QSize& size : {QSize(1700, 800), QSize(1280, 800), QSize(1160, 800)}) {
    window->resize(size);
    QVERIFY(settled(window));
    // In a narrow window they come over the curves when they are wanted.
    if (!tabs->isVisible())
      QTest::mouseClick(window->findChild<FoldBar*>()->button("details"), Qt::LeftButton);
    QVERIFY(settled(window));
    const QTabBar* bar = tabs->tabBar();
    QVERIFY(tabs->isVisible());
    QCOMPARE(bar->isVisible(), bar->sizeHint().width() <= tabs->width());
    QCOMPARE(choice->isVisible(), !bar->isVisible());
    if (bar->isVisible()) {
      for (int tab = 0; tab < tabs->count(); ++tab) {
        QVERIFY(bar->rect().contains(bar->tabRect(tab)));
        QVERIFY(bar->tabRect(tab).width() >= bar->fontMetrics().horizontalAdvance(bar->tabText(tab)));
        QVERIFY(!tabs->tabToolTip(tab).isEmpty());
      }
      for (const QToolButton* arrow : bar->findChildren<QToolButton*>()) QVERIFY(!arrow->isVisible());
    } else {
      QCOMPARE(choice->count(), tabs->count());
      for (int tab = 0; tab < tabs->count(); ++tab) QCOMPARE(choice->itemText(tab), tabs->tabText(tab));
    }
  }
}

// The list of pages, where tabs do not fit, is worked by keys; the page follows.
void RunDetailsTest::pagesAreChosenByKeys() {
  RunItem run;
  run.uuid = QStringLiteral("a");
  RunDetailsPanel panel;
  panel.setRun(&run, {});
  panel.resize(200, 600);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  auto* tabs = panel.findChild<QTabWidget*>();
  auto* choice = tabs->parentWidget()->findChild<QComboBox*>("pages");
  QVERIFY(waitUntil([&] { return choice->isVisible() && !tabs->tabBar()->isVisible(); }));
  QTest::keyClick(choice, Qt::Key_Down);
  QCOMPARE(tabs->currentIndex(), 1);
  QCOMPARE(choice->currentText(), tabs->tabText(1));
  tabs->setCurrentIndex(3);
  QCOMPARE(choice->currentIndex(), 3);
  panel.resize(700, 600);
  QVERIFY(waitUntil([&] { return tabs->tabBar()->isVisible() && !choice->isVisible(); }));
  QCOMPARE(tabs->currentIndex(), 3);
}

// Titles instead of the keys of run.json; variables of the environment keep their names.
void RunDetailsTest::originHasTitles() {
  RunItem run;
  run.uuid = QStringLiteral("a");
  RunDetailsPanel panel;
  panel.setRun(&run, {});
  RunDetails details;
  details.uuid = run.uuid;
  details.provenance = {{"program", "Fathom 1"},
                        {"libraries", {{"torch", "2"}}},
                        {"environment", {{"OMP_NUM_THREADS", "2"}}},
                        {"warnings", {"a line is damaged"}},
                        {"data", {{{"role", "training"}, {"sha256", "ab"}}}}};
  panel.setDetails(details);
  QTreeWidget* origin = nullptr;
  for (QTreeWidget* tree : panel.findChildren<QTreeWidget*>())
    if (tree->accessibleName() == QStringLiteral("Where the run comes from")) origin = tree;
  QVERIFY(origin != nullptr);
  QStringList titles;
  for (QTreeWidgetItemIterator item(origin); *item != nullptr; ++item) titles.append((*item)->text(0));
  titles.sort();
  QCOMPARE(titles, QStringList({"1", "Data", "Environment variables", "File 1", "LibTorch", "Libraries",
                                "OMP_NUM_THREADS", "Part", "Program", "SHA-256", "Warnings"}));
}

// Resume is not for it; what goes on with it is copied from the page.
void RunDetailsTest::commandOfAnotherProgram() {
  const std::string run = m_fixture->makeRun("other");
  std::ofstream(run + "/run.json")
      << R"({"uuid":"other-1","format":1,"name":"other","created":"2026-01-01T00:00:00.000Z",
    "writer":{"program":"fathom.py","version":"1.0"},
    "provenance":{"command":["python3","train it.py"],"folder":"/home/ada"}})";
  RunItem item;
  item.uuid = QStringLiteral("other-1");
  RunDetailsPanel panel;
  panel.setRun(&item, {});
  panel.setDetails(readRunDetails(item.uuid, QString::fromStdString(run)));
  QTreeWidget* origin = nullptr;
  for (QTreeWidget* tree : panel.findChildren<QTreeWidget*>())
    if (tree->accessibleName() == QStringLiteral("Where the run comes from")) origin = tree;
  QVERIFY(origin != nullptr);
  const auto found = origin->findItems(QStringLiteral("Started again by"), Qt::MatchExactly);
  QCOMPARE(found.size(), 1);
  const QString command = QStringLiteral("cd /home/ada && FATHOM_RUN_DIR=%1 python3 'train it.py'")
                              .arg(QString::fromStdString(run));
  QCOMPARE(found.first()->text(1), command);
  origin->setCurrentItem(found.first(), 1);
  QTest::keyClick(origin, Qt::Key_C, Qt::ControlModifier);
  QCOMPARE(QGuiApplication::clipboard()->text(), command);
}

void RunDetailsTest::initialisationHasItsTitle() {
  OptionField init;
  init.key = "init";
  init.type = OptionType::Choice;
  init.defaultValue = "by_scheme";
  init.choices = {{"by_scheme", "As the paper of the scheme"}};
  const OptionSchema schema({init}, {});
  InitReportView view;
  view.showReport({{"init", "by_scheme"}, {"rows", Json::array()}});
  const auto said = [&view] {
    for (const QLabel* label : view.findChildren<QLabel*>())
      if (label->text().contains(QStringLiteral("parameters were scaled"))) return label->text();
    return QString();
  };
  QVERIFY(said().startsWith(QStringLiteral("by_scheme")));
  view.setSchema(&schema);
  QVERIFY2(said().startsWith(QStringLiteral("As the paper of the scheme:")), qPrintable(said()));
}

// The name of a run in the header of its options, in a narrow panel.
void RunDetailsTest::longNamesEndInTheHeader() {
  RunItem run;
  run.uuid = QStringLiteral("a");
  run.name = QStringLiteral("a run with a rather long name that no column holds");
  run.config = Json{{"seed", 2}};
  RunDetailsPanel panel;
  panel.resize(320, 500);
  panel.setRun(&run, {});
  panel.findChild<QTabWidget*>()->setCurrentIndex(1);
  panel.show();
  const auto* header = panel.findChild<ElidedHeader*>();
  QVERIFY(header != nullptr && header->count() == 3);
  const QString painted = paintedTitle(header, 2);
  QVERIFY2(painted.endsWith(QChar(0x2026)), qPrintable(painted));
  QVERIFY(painted.startsWith(QStringLiteral("a run")));
  QVERIFY(header->fontMetrics().horizontalAdvance(painted) <= header->sectionSize(2) - 16);
  QCOMPARE(header->model()->headerData(2, Qt::Horizontal, Qt::ToolTipRole).toString(), run.name);
}

// The path of a file stands whole in a narrow panel, and is copied as it is.
void RunDetailsTest::pathsAreWrappedAndCopied() {
  const QString path = QStringLiteral("/home/somebody/projects/small_data/train-2024.tsv.gz");
  RunItem run;
  run.uuid = QStringLiteral("a");
  run.name = QStringLiteral("one");
  run.config = Json{{"data.train", path.toStdString()}};
  RunDetailsPanel panel;
  panel.resize(300, 500);
  panel.setRun(&run, {});
  panel.findChild<QTabWidget*>()->setCurrentIndex(1);
  panel.show();
  QVERIFY(QTest::qWaitForWindowActive(&panel));
  QTableView* options = nullptr;
  for (QTableView* each : panel.findChildren<QTableView*>())
    if (each->isVisible()) options = each;
  QVERIFY(options != nullptr && options->model()->rowCount() == 1);
  const QModelIndex cell = options->model()->index(0, 2);
  for (const QString& part : cell.data().toString().split(QChar(0x200B)))
    QVERIFY2(options->fontMetrics().horizontalAdvance(part) < options->columnWidth(2), qPrintable(part));
  // Its end says which file it is; the row stands apart from its neighbours.
  QCOMPARE(cell.data().toString().remove(QChar(0x200B)), QStringLiteral("…/small_data/train-2024.tsv.gz"));
  QStyleOptionViewItem option;
  option.initFrom(options);
  option.rect = QRect(0, 0, options->columnWidth(2), 0);
  option.features = QStyleOptionViewItem::WrapText;
  const int lines = QStyledItemDelegate().sizeHint(option, cell).height();
  QVERIFY2(options->rowHeight(0) >= lines + metrics::kGrid, qPrintable(QString::number(lines)));
  QVERIFY(cell.data(Qt::ToolTipRole).toString().contains(path));
  options->setCurrentIndex(cell);
  options->setFocus();
  QTest::keySequence(options, QKeySequence(QKeySequence::Copy));
  QVERIFY2(QGuiApplication::clipboard()->text().endsWith(QLatin1Char('\t') + path),
           qPrintable(QGuiApplication::clipboard()->text()));
}

void RunDetailsTest::scoresUseTheRoomThereIs() {
  RunItem run;
  run.uuid = QStringLiteral("a");
  run.name = QStringLiteral("one");
  run.last.insert(QStringLiteral("valid.a score with a long title"), 0.5);
  RunDetailsPanel panel;
  panel.resize(260, 500);
  panel.setRun(&run, {});
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  const auto title = [&panel] {
    for (const QTreeWidget* tree : panel.findChildren<QTreeWidget*>())
      if (tree->isVisible()) return tree->topLevelItem(1)->text(0);
    return QString();
  };
  QVERIFY2(title().contains(QLatin1Char('\n')), qPrintable(title()));
  // The heading of the section has the whole line.
  for (const QTreeWidget* tree : panel.findChildren<QTreeWidget*>())
    if (tree->isVisible())
      QCOMPARE(tree->visualItemRect(tree->topLevelItem(0)).width(), tree->viewport()->width());
  panel.resize(900, 500);
  QVERIFY(waitUntil([&] { return !title().contains(QLatin1Char('\n')); }));
  panel.resize(260, 500);
  QVERIFY(waitUntil([&] { return title().contains(QLatin1Char('\n')); }));
}

// A column's digits stand below each other, whatever decimals each score has; they are read out as they are.
void RunDetailsTest::scoresStandBelowEachOther() {
  RunItem run;
  run.uuid = QStringLiteral("a");
  run.name = QStringLiteral("one");
  run.last.insert(QStringLiteral("valid.bleu"), 27.31);
  run.last.insert(QStringLiteral("valid.loss"), 0.5);
  run.last.insert(QStringLiteral("valid.count"), 12);
  RunDetailsPanel panel;
  panel.setRun(&run, {});
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  double right = -1;
  int numbers = 0;
  for (const QTreeWidget* tree : panel.findChildren<QTreeWidget*>()) {
    if (!tree->isVisible()) continue;
    const QFontMetricsF metrics(tree->font());
    for (int row = 0; row < tree->topLevelItemCount(); ++row) {
      const QString text = tree->topLevelItem(row)->text(2);
      if (text.isEmpty()) continue;
      const qsizetype dot = text.indexOf(QLocale().decimalPoint());
      const qsizetype point = dot >= 0 ? dot : text.indexOf(QChar(0x2008));
      QVERIFY2(point > 0, qPrintable(text));
      const double tail = metrics.horizontalAdvance(text.mid(point));
      if (right < 0) right = tail;
      QVERIFY2(std::abs(tail - right) < 2, qPrintable(text));
      QVERIFY(!tree->topLevelItem(row)->data(2, Qt::AccessibleTextRole).toString().contains(QChar(0x2007)));
      ++numbers;
    }
  }
  QCOMPARE(numbers, 3);
}

void RunDetailsTest::oneUpdateIsNoPlural() {
  RunItem run;
  run.uuid = QStringLiteral("a");
  run.name = QStringLiteral("one");
  RunDetailsPanel panel;
  const auto says = [&panel](const QString& words) {
    for (const QLabel* label : panel.findChildren<QLabel*>())
      if (label->text().split(QStringLiteral(" · ")).contains(words)) return true;
    return false;
  };
  RunTableModel table;
  for (const auto& [step, words] :
       {std::pair(1, QStringLiteral("1 update")), std::pair(2, QStringLiteral("2 updates"))}) {
    run.step = step;
    panel.setRun(&run, {});
    QVERIFY2(says(words), qPrintable(words));
    table.setRuns({run});
    QStringList tips;
    for (int column = 0; column < table.columnCount(); ++column)
      tips += table.index(0, column).data(Qt::ToolTipRole).toString().split(QLatin1Char('\n'));
    QVERIFY2(tips.contains(words), qPrintable(tips.join(QLatin1Char('|'))));
  }
}

QTEST_MAIN(RunDetailsTest)
#include "tst_run_details.moc"
