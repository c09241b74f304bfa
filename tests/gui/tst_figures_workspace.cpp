// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>
#include <cmath>

#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "core/base/files/atomic_file.h"
#include "core/library/figures/figure_composition.h"
#include "core/record/runs/run_folder.h"
#include "tests/gui/support_analysis_results.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/figures/check_strip.h"
#include "views/panels/figures/composition_form.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/message_bar.h"

using namespace fathom;
using test::waitUntil;

// The Figures workspace in the whole window, with real keys and clicks.
class FiguresWorkspaceTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void emptyStateMakesAPage();
  void emptyPageSaysHowToFillIt();
  void kindsGoOnThePageWithKeys();
  void tallFiguresHaveTheirRow();
  void pagesThatAreTooHighAreSaid();
  void panelsMoveAndChangePlaces();
  void editsAreUndoneOneByOne();
  void deletedPageComesBack();
  void pageSurvivesARestart();
  void clicksSelectPanels();
  void sizesAndSharedAxes();
  void missingDataAreExplained();
  void whatAPageLacksIsComputedBesideIt();
  void runsOfAPanel();
  void regenerateSeesNewPoints();
  void panelsShowWhatTheyWereMadeOf();
  void panelsWithoutPinsSaySo();
  void exportAndClipboard();
  void keysTypedIntoTheNameStayThere();

 private:
  FiguresWorkspace* figures() const { return m_window->figures(); }
  int selectedPanel() const {
    return figures()
        ->form()
        ->findChild<QTreeWidget*>("panelList")
        ->currentItem()
        ->data(0, Qt::UserRole)
        .toInt();
  }
  bool open();
  bool settled() const {
    return waitUntil([this] { return figures()->settled() && m_window->jobs()->count() == 0; });
  }
  bool add(const char* kind) const {
    figures()->list()->setCurrent(QLatin1String(kind));
    figures()->list()->tree()->setFocus();
    QTest::keyClick(figures()->list()->tree(), Qt::Key_Return);
    return settled();
  }
  const FigureComposition& page() const { return *figures()->composition(); }
  std::string projectPath() const { return m_fixture->project().toStdString(); }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void FiguresWorkspaceTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_fixture->addRun("first");
  m_fixture->addRun("second");
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void FiguresWorkspaceTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

bool FiguresWorkspaceTest::open() {
  m_window = m_host->openWindow(m_fixture->project());
  if (!QTest::qWaitForWindowActive(m_window)) return false;
  if (!waitUntil([this] { return m_window->service()->isReady() && m_window->jobs()->count() == 0; }))
    return false;
  QTest::keyClick(m_window, Qt::Key_4, Qt::ControlModifier);
  return figures()->widget()->isVisible() && settled();
}

void FiguresWorkspaceTest::emptyStateMakesAPage() {
  QVERIFY(open());
  QVERIFY(figures()->composition() == nullptr);
  QVERIFY(!figures()->form()->isVisible());
  QVERIFY(!m_window->action("figures.export")->isEnabled());
  QPushButton* button = nullptr;
  for (QPushButton* each : figures()->widget()->findChildren<QPushButton*>())
    if (each->isVisible()) button = each;
  QVERIFY(button != nullptr);
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(figures()->composition() != nullptr);
  QCOMPARE(page().name, std::string("Figure 1"));
  QVERIFY(figures()->form()->isVisible());
}

void FiguresWorkspaceTest::emptyPageSaysHowToFillIt() {
  QVERIFY(open());
  m_window->action("figures.new")->trigger();
  QVERIFY(settled());
  EmptyState* hint = nullptr;
  for (EmptyState* each : figures()->widget()->findChildren<EmptyState*>())
    if (each->isVisible()) hint = each;
  QVERIFY(hint != nullptr);
  QVERIFY2(hint->text().contains(QStringLiteral("list")), qPrintable(hint->text()));
  auto* button = hint->findChild<QPushButton*>();
  QVERIFY(button != nullptr && button->isEnabled());
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(settled());
  QVERIFY(!hint->isVisible());
  QVERIFY(figures()->page()->isVisible() && figures()->page()->hasPage());
  QCOMPARE(page().panels.size(), std::size_t{1});
  // Empty again: the hint is back.
  m_window->action("figures.remove")->trigger();
  QVERIFY(settled());
  QVERIFY(hint->isVisible());
}

void FiguresWorkspaceTest::kindsGoOnThePageWithKeys() {
  QVERIFY(open());
  // Without a page one is made.
  QVERIFY(add("training_curve"));
  QVERIFY(add("training_curve"));
  QVERIFY(add("training_curve"));
  QCOMPARE(page().panels.size(), std::size_t{3});
  // Of the run that is selected in Train.
  QCOMPARE(page().panels[0].recipe.runs.size(), std::size_t{1});
  QCOMPARE(page().panels[1].column, 1);
  QCOMPARE(page().panels[2].row, 1);
  QVERIFY(figures()->page()->hasPage());
  QCOMPARE(figures()->form()->findChild<QTreeWidget*>("panelList")->topLevelItemCount(), 3);
  QCOMPARE(figures()->form()->findChild<QTreeWidget*>("panelList")->topLevelItem(2)->text(0),
           QStringLiteral("(c)"));
  QCOMPARE(figures()->page()->pageSize().widthMm, 160.0);
  // Stored in the project.
  const auto library = ProjectLibrary::open(projectPath()).value();
  QCOMPARE(figureCompositions(*library).value().at(0).panels.size(), std::size_t{3});
}

// A tall figure goes below what it would stretch, and both are as high as they are alone; figures alike stand
// beside each other.
void FiguresWorkspaceTest::tallFiguresHaveTheirRow() {
  const std::string path = m_fixture->addRun("analysed");
  test::storeResult(path, "beta_dependency", "init", test::madeDependency(24, 0));
  QVERIFY(open());
  const QString uuid = QString::fromStdString(RunFolder(path).identity()->uuid);
  m_window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  QVERIFY(add("training_curve"));
  const double alone = figures()->page()->figureBox(0).height() / figures()->page()->figureBox(0).width();
  QVERIFY(add("beta_dependency"));
  QCOMPARE(page().panels[1].row, 1);
  QCOMPARE(page().panels[1].column, 0);
  const QRectF first = figures()->page()->figureBox(0);
  QVERIFY(std::abs(first.height() / first.width() - alone) < 0.02);
  // One step takes it off again.
  figures()->page()->setFocus();
  QTest::keyClick(figures()->page(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(page().panels.size(), std::size_t{1});
  QVERIFY(settled() && add("training_curve"));
  QCOMPARE(page().panels[1].row, 0);
  QCOMPARE(page().panels[1].column, 1);
}

void FiguresWorkspaceTest::pagesThatAreTooHighAreSaid() {
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  auto* strip = figures()->widget()->findChild<CheckStrip*>();
  QVERIFY2(strip->text().contains(QStringLiteral("fits the page")), qPrintable(strip->text()));
  // Two beside each other.
  for (int panels = 1; panels < 16 && !strip->text().contains(QStringLiteral("mm too high")); ++panels)
    QVERIFY(add("training_curve"));
  QVERIFY2(strip->text().contains(QStringLiteral("mm too high")), qPrintable(strip->text()));
}

void FiguresWorkspaceTest::panelsMoveAndChangePlaces() {
  QVERIFY(open());
  QVERIFY(add("training_curve") && add("training_curve"));
  figures()->page()->setFocus();
  QCOMPARE(selectedPanel(), 1);
  QTest::keyClick(figures()->page(), Qt::Key_Left, Qt::ControlModifier);
  QCOMPARE(page().panels[1].column, 0);
  QCOMPARE(page().panels[0].column, 1);
  QTest::keyClick(figures()->page(), Qt::Key_Down, Qt::ControlModifier);
  QCOMPARE(page().panels[1].row, 1);
  // Wider than its place: nothing is in the way in the second row.
  figures()->form()->findChild<QSpinBox*>("panelColumns")->setValue(2);
  QCOMPARE(page().panels[1].columnSpan, 2);
  // Refused: the other panel would have to leave the grid.
  figures()->form()->findChild<QSpinBox*>("panelRow")->setValue(1);
  QVERIFY(checkComposition(page()).ok());
  QTest::keyClick(figures()->page(), Qt::Key_Delete);
  QCOMPARE(page().panels.size(), std::size_t{1});
  QVERIFY(settled());
}

void FiguresWorkspaceTest::editsAreUndoneOneByOne() {
  QVERIFY(open());
  QVERIFY(add("training_curve") && add("training_curve"));
  figures()->form()->findChild<QDoubleSpinBox*>("pageWidth")->setValue(120);
  figures()->form()->findChild<QCheckBox*>("shareX")->click();
  QCOMPARE(page().widthMm, 120.0);
  QVERIFY(page().shareX);
  figures()->page()->setFocus();
  QTest::keyClick(figures()->page(), Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(!page().shareX);
  QTest::keyClick(figures()->page(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(page().widthMm, 0.0);
  QTest::keyClick(figures()->page(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(page().panels.size(), std::size_t{1});
  QTest::keySequence(figures()->page(), QKeySequence::Redo);
  QTest::keySequence(figures()->page(), QKeySequence::Redo);
  QCOMPARE(page().panels.size(), std::size_t{2});
  QCOMPARE(page().widthMm, 120.0);
  QCOMPARE(figures()->form()->findChild<QDoubleSpinBox*>("pageWidth")->value(), 120.0);
  QVERIFY(settled());
  const auto library = ProjectLibrary::open(projectPath()).value();
  QCOMPARE(figureCompositions(*library).value().at(0).widthMm, 120.0);
}

void FiguresWorkspaceTest::deletedPageComesBack() {
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  m_window->action("figures.delete")->trigger();
  QVERIFY(figures()->composition() == nullptr);
  QVERIFY(settled());
  const auto library = ProjectLibrary::open(projectPath()).value();
  QCOMPARE(figureCompositions(*library).value().size(), std::size_t{0});
  m_window->action("edit.undo")->trigger();
  QVERIFY(figures()->composition() != nullptr);
  QCOMPARE(page().panels.size(), std::size_t{1});
  QVERIFY(settled());
  QCOMPARE(figureCompositions(*library).value().size(), std::size_t{1});
}

void FiguresWorkspaceTest::pageSurvivesARestart() {
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  m_window->action("figures.new")->trigger();
  QVERIFY(add("training_curve"));
  m_window->action("figures.gray")->trigger();
  const std::string uuid = page().uuid;
  figures()->form()->findChild<QLineEdit*>("pageName")->setFocus();
  figures()->form()->findChild<QLineEdit*>("pageName")->selectAll();
  QTest::keyClicks(figures()->form()->findChild<QLineEdit*>("pageName"), "Main result");
  m_window->close();
  m_host.reset();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(waitUntil([this] { return figures()->composition() != nullptr; }));
  QVERIFY(figures()->widget()->isVisible());
  QVERIFY(m_window->action("view.figures")->isChecked());
  QCOMPARE(page().uuid, uuid);
  QCOMPARE(page().name, std::string("Main result"));
  QVERIFY(figures()->page()->gray());
  QVERIFY(settled());
}

void FiguresWorkspaceTest::clicksSelectPanels() {
  QVERIFY(open());
  QVERIFY(add("training_curve") && add("training_curve"));
  PageView* view = figures()->page();
  QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->figureBox(0).center().toPoint());
  QCOMPARE(selectedPanel(), 0);
  QVERIFY(view->hasFocus());
  QTest::keyClick(view, Qt::Key_Right);
  QCOMPARE(selectedPanel(), 1);
  QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, view->figureBox(1).center().toPoint());
  QVERIFY(figures()->form()->isAncestorOf(QApplication::focusWidget()));
  // The list of panels goes along.
  QCOMPARE(figures()->form()->findChild<QTreeWidget*>("panelList")->currentItem()->text(0),
           QStringLiteral("(b)"));
}

void FiguresWorkspaceTest::sizesAndSharedAxes() {
  QVERIFY(open());
  QVERIFY(add("training_curve") && add("training_curve"));
  figures()->form()->findChild<QDoubleSpinBox*>("pageWidth")->setValue(100);
  QVERIFY(settled());
  QCOMPARE(figures()->page()->pageSize().widthMm, 100.0);
  // At print size: 96 points on screen per inch.
  const QImage picture = figures()->page()->picture(1);
  QVERIFY(std::abs(picture.width() - 100 / 25.4 * 96) < 2);
  m_window->action("figures.gray")->trigger();
  const QImage gray = figures()->page()->picture(1);
  QVERIFY(gray != picture);
  for (int y = 0; y < gray.height(); y += 3)
    for (int x = 0; x < gray.width(); x += 3) {
      const QColor colour = gray.pixelColor(x, y);
      QVERIFY(std::abs(colour.red() - colour.blue()) <= 2 && std::abs(colour.red() - colour.green()) <= 2);
    }
}

// A figure of a probe that nobody computed says how to compute it, in the form; the page is not exported.
void FiguresWorkspaceTest::missingDataAreExplained() {
  QVERIFY(open());
  QVERIFY(add("attention_entropy"));
  const auto* problem = figures()->form()->findChild<QLabel*>(QStringLiteral("panelProblem"));
  QVERIFY(problem->isVisible());
  QVERIFY2(problem->text().endsWith(QStringLiteral("of run “second” is not computed yet.")),
           qPrintable(problem->text()));
  QVERIFY(figures()->page()->hasPage());
  // The page fails its checks, in words of the window.
  const auto* strip = figures()->widget()->findChild<CheckStrip*>();
  QVERIFY2(strip->text().contains(QStringLiteral("panels without data: 1")), qPrintable(strip->text()));
  for (const QLabel* label : strip->findChildren<QLabel*>()) {
    const QString words = label->text() + label->toolTip();
    QVERIFY2(!words.contains(QStringLiteral("--project")) &&
                 !words.contains(QString::fromStdString(page().panels[0].recipe.runs[0])),
             qPrintable(words));
  }
  const QString file = m_fixture->project() + QStringLiteral("/none.pdf");
  figures()->exportPage(file);
  QVERIFY(settled());
  QVERIFY(!QFileInfo::exists(file));
}

void FiguresWorkspaceTest::whatAPageLacksIsComputedBesideIt() {
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  auto* compute = figures()->widget()->findChild<QPushButton*>("computePanels");
  const auto* strip = figures()->widget()->findChild<CheckStrip*>();
  QVERIFY(!compute->isVisible());
  QVERIFY2(strip->text().contains(QStringLiteral("every panel has data")), qPrintable(strip->text()));
  QVERIFY(add("beta_dependency"));
  QVERIFY(compute->isVisible());
  QTest::mouseClick(compute, Qt::LeftButton);
  QVERIFY(settled());
  QVERIFY2(m_window->messages()->count() == 0, qPrintable(m_window->messages()->currentText()));
  QVERIFY2(strip->text().contains(QStringLiteral("every panel has data")), qPrintable(strip->text()));
  QVERIFY(!compute->isVisible());
}

void FiguresWorkspaceTest::runsOfAPanel() {
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  QListWidget* runs = figures()->form()->findChild<QListWidget*>("panelRuns");
  QCOMPARE(runs->count(), 2);
  const int ticked = runs->item(0)->checkState() == Qt::Checked ? 0 : 1;
  runs->item(1 - ticked)->setCheckState(Qt::Checked);
  QCOMPARE(page().panels[0].recipe.runs.size(), std::size_t{2});
  QVERIFY(settled());
  const QString other = runs->item(1 - ticked)->data(Qt::UserRole).toString();
  m_window->selection()->set(Dimension::Run, {other}, other, nullptr);
  m_window->action("figures.use_runs")->trigger();
  QCOMPARE(page().panels[0].recipe.runs.front(), other.toStdString());
  QVERIFY(settled());
}

void FiguresWorkspaceTest::regenerateSeesNewPoints() {
  std::string path;
  auto log = m_fixture->beginRun("live", &path);
  test::WindowFixture::writeSteps(*log, 1, 20, 4.0);
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  const QImage before = figures()->page()->picture(1);
  test::WindowFixture::writeSteps(*log, 21, 60, 40.0);
  log.reset();
  figures()->page()->setFocus();
  QTest::keyClick(figures()->page(), Qt::Key_F5);
  QVERIFY(settled());
  QVERIFY(figures()->page()->picture(1) != before);
}

// What is computed later is not on the page until it is regenerated, and undo brings the older one back.
void FiguresWorkspaceTest::panelsShowWhatTheyWereMadeOf() {
  const std::string path = m_fixture->addRun("analysed");
  test::storeResult(path, "beta_dependency", "init", test::madeDependency(4, 0));
  QVERIFY(open());
  const QString uuid = QString::fromStdString(RunFolder(path).identity()->uuid);
  m_window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  QVERIFY(add("beta_dependency"));
  QVERIFY(page().panels[0].recipe.pins && !page().panels[0].recipe.pins->results.empty());
  const QImage first = figures()->page()->picture(1);
  test::storeResult(path, "beta_dependency", "0001-00000010", test::madeDependency(4, 0.2));
  m_window->action("figures.duplicate")->trigger();
  QVERIFY(settled());
  QVERIFY(figures()->page()->picture(1) == first);
  const QString file = m_fixture->project() + QStringLiteral("/pinned.csv");
  figures()->exportPage(file);
  QVERIFY(settled());
  const std::string numbers = readFile(file.toStdString()).value();
  m_window->close();
  m_host.reset();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QVERIFY(open());
  figures()->exportPage(file);
  QVERIFY(settled());
  QVERIFY(readFile(file.toStdString()).value() == numbers);
  const QImage before = figures()->page()->picture(1);
  m_window->action("figures.regenerate")->trigger();
  QVERIFY(settled());
  QVERIFY(figures()->page()->picture(1) != before);
  figures()->undo();
  QVERIFY(settled());
  QVERIFY(figures()->page()->picture(1) == before);
}

void FiguresWorkspaceTest::panelsWithoutPinsSaySo() {
  const std::string path = m_fixture->addRun("analysed");
  test::storeResult(path, "beta_dependency", "init", test::madeDependency(4, 0));
  FigureComposition old;
  old.name = "old";
  old.created = "2026-01-01T00:00:00Z";
  old.panels.resize(1);
  old.panels[0].recipe.figure = "beta_dependency";
  old.panels[0].recipe.runs = {RunFolder(path).identity()->uuid};
  QVERIFY(saveFigureComposition(*ProjectLibrary::open(projectPath()).value(), old).ok());
  QVERIFY(open());
  QVERIFY(!page().panels[0].recipe.pins);
  const auto said = [this] {
    for (const QLabel* label : figures()->form()->findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(QStringLiteral("Not pinned"))) return true;
    return false;
  };
  QVERIFY(said());
  m_window->action("figures.regenerate")->trigger();
  QVERIFY(settled());
  QVERIFY(page().panels[0].recipe.pins && !page().panels[0].recipe.pins->results.empty());
  QVERIFY(!said());
}

void FiguresWorkspaceTest::exportAndClipboard() {
  QVERIFY(open());
  QVERIFY(add("training_curve") && add("training_curve"));
  for (const char* name : {"page.pdf", "page.svg", "page.png", "page.tex"}) {
    const QString file = m_fixture->project() + u'/' + QLatin1String(name);
    figures()->exportPage(file);
    QVERIFY(settled());
    QVERIFY2(QFileInfo::exists(file), name);
    QVERIFY(QFileInfo::exists(m_fixture->project() + QStringLiteral("/page.csv")));
  }
  const QString again = m_fixture->project() + QStringLiteral("/again.pdf");
  figures()->exportPage(again);
  QVERIFY(settled());
  QCOMPARE(readFile(again.toStdString()).value(), readFile(projectPath() + "/page.pdf").value());
  figures()->page()->setFocus();
  QTest::keyClick(figures()->page(), Qt::Key_C, Qt::ControlModifier);
  const QMimeData* copied = QApplication::clipboard()->mimeData();
  QVERIFY(copied->hasImage());
  QVERIFY(copied->data(QStringLiteral("application/pdf")).startsWith("%PDF"));
  QVERIFY(copied->data(QStringLiteral("image/svg+xml")).contains("<svg"));
}

void FiguresWorkspaceTest::keysTypedIntoTheNameStayThere() {
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  QLineEdit* name = figures()->form()->findChild<QLineEdit*>("pageName");
  name->setFocus();
  name->setCursorPosition(0);
  QTest::keyClick(name, Qt::Key_Delete);
  QTest::keyClick(name, Qt::Key_Right);
  QCOMPARE(page().panels.size(), std::size_t{1});
  QCOMPARE(page().name, std::string("igure 1"));
  QCOMPARE(name->cursorPosition(), 1);
  QVERIFY(settled());
}

QTEST_MAIN(FiguresWorkspaceTest)
#include "tst_figures_workspace.moc"
