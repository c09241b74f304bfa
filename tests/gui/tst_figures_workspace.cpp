// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPrintDialog>
#include <QPrinter>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/library/figures/figure_composition.h"
#include "core/record/runs/run_folder.h"
#include "tests/gui/support_analysis_results.h"
#include "tests/gui/support_figures_window.h"
#include "views/panels/figures/check_strip.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/message_bar.h"

using namespace fathom;
using test::waitUntil;

// The Figures workspace in the whole window, with real keys and clicks.
class FiguresWorkspaceTest : public test::FiguresWindowTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }
  void emptyStateMakesAPage();
  void emptyPageSaysHowToFillIt();
  void kindsGoOnThePageWithKeys();
  void tallFiguresHaveTheirRow();
  void pagesThatAreTooHighAreSaid();
  void panelsMoveAndChangePlaces();
  void layoutsTakeOneClick();
  void editsAreUndoneOneByOne();
  void deletedPageComesBack();
  void pageSurvivesARestart();
  void clicksSelectPanels();
  void sizesAndSharedAxes();
  void runsOfAPanel();
  void exportAndClipboard();
  void pageIsPrinted();
  void keysTypedIntoTheNameStayThere();
};

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

void FiguresWorkspaceTest::layoutsTakeOneClick() {
  QVERIFY(open());
  QVERIFY(add("training_curve") && add("training_curve") && add("training_curve"));
  const auto click = [this](const char* action) {
    for (QToolButton* button : figures()->form()->findChildren<QToolButton*>())
      if (button->defaultAction() == m_window->action(action)) {
        QTest::mouseClick(button, Qt::LeftButton);
        return settled();
      }
    return false;
  };
  const auto places = [this] {
    QVector<QPoint> all;  // column, row
    for (const CompositionPanel& panel : page().panels) all.append({panel.column, panel.row});
    return all;
  };
  QVERIFY(click("figures.in_row"));
  QCOMPARE(places(), (QVector<QPoint>{{0, 0}, {1, 0}, {2, 0}}));
  QVERIFY(click("figures.in_column"));
  QCOMPARE(places(), (QVector<QPoint>{{0, 0}, {0, 1}, {0, 2}}));
  QVERIFY(click("figures.in_two"));
  QCOMPARE(places(), (QVector<QPoint>{{0, 0}, {1, 0}, {0, 1}}));
  QVERIFY(figures()->page()->figureBox(0).right() < figures()->page()->figureBox(1).left());
  m_window->action("edit.undo")->trigger();
  QCOMPARE(places(), (QVector<QPoint>{{0, 0}, {0, 1}, {0, 2}}));
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

// By the dialog of the desktop, here into a file.
void FiguresWorkspaceTest::pageIsPrinted() {
  QVERIFY(open());
  m_window->action("figures.new")->trigger();
  QVERIFY(!m_window->action("figures.print")->isEnabled());
  QVERIFY(add("training_curve"));
  QTest::keyClick(m_window, Qt::Key_P, Qt::ControlModifier);
  auto* dialog = m_window->findChild<QPrintDialog*>();
  QVERIFY(dialog != nullptr && dialog->isVisible());
  const QString file = m_fixture->project() + QStringLiteral("/printed.pdf");
  dialog->printer()->setOutputFormat(QPrinter::PdfFormat);
  dialog->printer()->setOutputFileName(file);
  dialog->done(QDialog::Accepted);
  QVERIFY(QFileInfo(file).size() > 1000);
  const QString said = m_window->messages()->currentText();
  QVERIFY2(said.contains(file), qPrintable(said));
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
