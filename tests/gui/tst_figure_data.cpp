// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/library/figures/figure_composition.h"
#include "core/record/runs/run_folder.h"
#include "tests/gui/support_analysis_results.h"
#include "tests/gui/support_figures_window.h"
#include "views/panels/figures/check_strip.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/widgets/message_bar.h"

using namespace fathom;

// The data of pages of figures in the whole window: what is missing, what is gone, what is pinned.
class FigureDataTest : public test::FiguresWindowTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }
  void missingDataAreExplained();
  void whatAPageLacksIsComputedBesideIt();
  void runsThatAreGoneAreNamed();
  void regenerateSeesNewPoints();
  void panelsShowWhatTheyWereMadeOf();
  void panelsWithoutPinsSaySo();
};

// A figure of a probe that nobody computed says how to compute it, in the form; the page is not exported.
void FigureDataTest::missingDataAreExplained() {
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

void FigureDataTest::whatAPageLacksIsComputedBesideIt() {
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

// By the name that it had when the figure was made; letters of its UUID tell nobody anything.
void FigureDataTest::runsThatAreGoneAreNamed() {
  const std::string path = m_fixture->addRun("gone");
  QVERIFY(open());
  const std::string uuid = RunFolder(path).identity()->uuid;
  m_window->selection()->set(Dimension::Run, {QString::fromStdString(uuid)}, {}, nullptr);
  QVERIFY(add("training_curve"));
  QCOMPARE(page().panels[0].recipe.runNames.at(uuid), std::string("gone"));
  QVERIFY(QDir(QString::fromStdString(path)).removeRecursively());
  m_window->action("figures.regenerate")->trigger();
  QVERIFY(settled());
  const QString problem = figures()->form()->findChild<QLabel*>(QStringLiteral("panelProblem"))->text();
  QVERIFY2(
      problem.contains(QStringLiteral("the run \"gone\"")) && !problem.contains(QString::fromStdString(uuid)),
      qPrintable(problem));
  const auto* runs = figures()->form()->findChild<QListWidget*>(QStringLiteral("panelRuns"));
  QCOMPARE(runs->item(0)->text(), QStringLiteral("gone (gone)"));
}

void FigureDataTest::regenerateSeesNewPoints() {
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
void FigureDataTest::panelsShowWhatTheyWereMadeOf() {
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

void FigureDataTest::panelsWithoutPinsSaySo() {
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

QTEST_MAIN(FigureDataTest)
#include "tst_figure_data.moc"
