// SPDX-License-Identifier: Apache-2.0
#include <QAbstractScrollArea>
#include <QAction>
#include <QDir>
#include <QTest>

#include "app/sample/sample_analyses.h"
#include "app/sample/sample_project.h"
#include "app/window/jobs/job_center.h"
#include "app/window/main/main_window.h"
#include "app/window/main/sample_steps.h"
#include "app/window/main/window_host.h"
#include "app/window/session/session_keys.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "core/record/results/analysis_store.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/widgets/place_pointer.h"
#include "views/panels/widgets/step_strip.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

// What another language, another theme and the next start find as it was left.
class WindowKeptTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void stepsTabAndRunsStay_data();
  void stepsTabAndRunsStay();
  void analysesGoOnWhereTheyEnded();
  void timeThatIsLeftGoesByWhatWasDoneNow();

 private:
  MainWindow* shown() const;
  void rest(MainWindow* window) const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
};

void WindowKeptTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  QVERIFY(QDir(m_fixture->project()).mkpath(QStringLiteral("data")));
  for (const char* part : {"train.tsv", "test.tsv"})  // a sample project
    QVERIFY(writeFileAtomically(m_fixture->project().toStdString() + "/data/" + part, "a\tb\n").ok());
  const std::string mark = m_fixture->project().toStdString() + kSampleMark;
  QVERIFY(writeFileAtomically(mark, "{\"format\": 1}\n").ok());
}

void WindowKeptTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

// The window that is not about to go.
MainWindow* WindowKeptTest::shown() const {
  for (QWidget* each : QApplication::topLevelWidgets())
    if (auto* window = qobject_cast<MainWindow*>(each); window != nullptr && window->isVisible())
      return window;
  return nullptr;
}

void WindowKeptTest::rest(MainWindow* window) const {
  const RunTableModel* runs = window->train()->runModel();
  QVERIFY(waitUntil([&] { return runs->rowCount() == 2 && window->jobs()->count() == 0; }));
  window->service()->drain();
}

void WindowKeptTest::stepsTabAndRunsStay_data() {
  QTest::addColumn<QString>("by");
  for (const char* by : {"language", "theme", "restart"}) QTest::newRow(by) << QString::fromLatin1(by);
}

void WindowKeptTest::stepsTabAndRunsStay() {
  QFETCH(QString, by);
  const std::string other = m_fixture->addRun("one");
  m_fixture->addRun("two");
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  MainWindow* window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(window));
  rest(window);
  auto* strip = window->findChild<StepStrip*>();
  QVERIFY(strip->isVisible());
  QVERIFY(!strip->done(1));
  // Looking is no deed; a click in the place that is pointed at is.
  window->action("view.attention")->trigger();
  QTest::mouseClick(strip->button(SampleSteps::Watch), Qt::LeftButton);
  const auto* pointer = window->findChild<PlacePointer*>("placePointer");
  QVERIFY(waitUntil([&] { return pointer->isVisible(); }));
  QTest::mouseClick(static_cast<QAbstractScrollArea*>(pointer->place())->viewport(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return strip->done(0); }));
  QVERIFY(!strip->done(1) && !strip->done(2));
  const QString uuid = QFileInfo(QString::fromStdString(other)).fileName();
  window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  window->train()->details()->showPart(3);
  if (by == QLatin1String("theme")) window->action("theme.dark")->trigger();
  if (by == QLatin1String("language")) window->action("language.zh_CN")->trigger();
  if (by == QLatin1String("restart")) {
    window->close();
    m_host.reset();
    m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
    m_host->openWindow(m_fixture->project());
  }
  QVERIFY(waitUntil([&] {
    return shown() != nullptr && (by != QLatin1String("language") || shown() != window) &&
           shown()->service()->isReady();
  }));
  MainWindow* next = shown();
  rest(next);
  strip = next->findChild<StepStrip*>();
  QVERIFY(strip->isVisible());
  QVERIFY(strip->done(0) && !strip->done(1) && !strip->done(2) && !strip->done(3));
  QCOMPARE(next->train()->details()->shownPart(), 3);
  QCOMPARE(next->selection()->of(Dimension::Run).items, QStringList{uuid});
  next->action("language.en")->trigger();  // for the tests after this one
  next->action("theme.light")->trigger();
}

// The second time what the first has stored is done already, and counts.
void WindowKeptTest::analysesGoOnWhereTheyEnded() {
  m_fixture->addRun("2 layers Post-LN");
  const std::string project = m_fixture->project().toStdString();
  std::vector<ProgressUpdate> updates;
  Progress progress([&](const ProgressUpdate& update) { updates.push_back(update); });
  QVERIFY(computeSampleAnalyses(project, progress, {}).ok());
  m_fixture->addRun("12 layers Admin");
  const auto before = updates.back().total;
  updates.clear();
  QVERIFY(computeSampleAnalyses(project, progress, {}).ok());
  double total = 0, first = 0;
  for (const ProgressUpdate& update : updates) {
    if (update.total <= 0) continue;
    total = update.total;
    if (first == 0) first = update.done;
  }
  QVERIFY(total > before);
  QVERIFY2(first >= before, qPrintable(QStringLiteral("%1 of %2").arg(first).arg(total)));
}

void WindowKeptTest::timeThatIsLeftGoesByWhatWasDoneNow() {
  JobCenter jobs;
  std::optional<double> left;
  bool over = false;
  jobs.start<bool>(
      QStringLiteral("work"), {},
      [](Progress& progress, const StopToken&) -> Result<bool> {
        progress.begin("work", "parts", 100);
        QThread::msleep(60);
        progress.report(90);  // an earlier job's
        QThread::msleep(200);
        progress.report(91);
        return true;
      },
      [&](const Result<bool>&) { over = true; },
      [&](const ProgressUpdate& update) { left = update.remainingSeconds; });
  QVERIFY(waitUntil([&] { return over; }));
  // 9 parts of 0.2 s, not 9/91 of 0.26 s.
  QVERIFY(left.has_value());
  QVERIFY2(*left > 1.5 && *left < 20, qPrintable(QString::number(*left)));
}

QTEST_MAIN(WindowKeptTest)
#include "tst_window_kept.moc"
