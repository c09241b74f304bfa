// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QThread>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/records/project_library.h"
#include "tests/gui/support_window_fixture.h"
#include "tests/unit/support_waiting.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitFor;
using test::waitUntil;

namespace {

// Root may write everywhere: for its lifetime this process is somebody else, to whom `folder` belongs.
class OrdinaryUser {
 public:
  explicit OrdinaryUser(const QString& folder) {
    if (!m_root) return;
    namespace fs = std::filesystem;
    m_ordinary = ::chown(folder.toUtf8().constData(), kNobody, kNobody) == 0;
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(folder.toStdString()))
      m_ordinary = m_ordinary && ::lchown(each.path().c_str(), kNobody, kNobody) == 0;
    m_ordinary = m_ordinary && ::setresuid(kNobody, kNobody, 0) == 0;
  }
  ~OrdinaryUser() {
    if (m_root && ::setresuid(0, 0, 0) != 0) qFatal("root's rights did not come back");
  }
  Q_DISABLE_COPY_MOVE(OrdinaryUser)
  bool ordinary() const { return m_ordinary; }

 private:
  static constexpr uid_t kNobody = 65534;
  const bool m_root = ::geteuid() == 0;
  bool m_ordinary = !m_root;
};

}  // namespace

// What goes wrong around the window: an engine that is not there or misbehaves, a clock that is set back, a
// second window on the same project, work that would block. The window shows the runs, says what is wrong and
// what to do, and goes on.
class WindowFaultsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void engineMisbehaves_data();
  void engineMisbehaves();
  void hangingEngineBlocksNothing();
  void clockSetBack();
  void twoWindowsEditOneProject();
  void newerEventsAreRefusedWithAReason();
  void readOnlyProject();
  void longWorkIsDoneElsewhere();
  void queueStandsStillWithAReason_data();
  void queueStandsStillWithAReason();
  void fullDiskWhenQueueing();
  void fullDiskWhenTheRunIsMade();
  void readOnlyProjectRefusesToTrain();

 private:
  MainWindow* open();
  static NewRun newRun(const char* name) {
    NewRun run;
    run.config.name = name;
    run.config.options["fake.steps"] = 5;
    return run;
  }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
};

void WindowFaultsTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void WindowFaultsTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

MainWindow* WindowFaultsTest::open() {
  MainWindow* window = m_host->openWindow(m_fixture->project());
  bool changed = false;
  connect(window->service(), &ProjectService::changed, window, [&changed] { changed = true; });
  if (!QTest::qWaitForWindowActive(window) || !waitUntil([&] { return changed; })) return nullptr;
  return window;
}

void WindowFaultsTest::engineMisbehaves_data() {
  QTest::addColumn<QByteArray>("how");
  QTest::addColumn<QString>("said");
  QTest::newRow("missing") << QByteArray() << "/nowhere/fathom-engine";
  QTest::newRow("wrong version") << QByteArray("wrong_version") << "0.0.9";
  QTest::newRow("crashes at start") << QByteArray("crash") << "signal 6";
  QTest::newRow("half a line") << QByteArray("half") << "not complete JSON";
  QTest::newRow("no JSON") << QByteArray("garbage") << "not complete JSON";
  QTest::newRow("exit code") << QByteArray("exit3") << "cannot load libfoo.so";
}

void WindowFaultsTest::engineMisbehaves() {
  QFETCH(QByteArray, how);
  QFETCH(QString, said);
  m_fixture->addRun("one");
  const QByteArray fake = qgetenv("FATHOM_ENGINE");
  if (how.isEmpty()) qputenv("FATHOM_ENGINE", "/nowhere/fathom-engine");
  qputenv("FATHOM_FAKE_DESCRIBE", how);
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->messages()->isVisible(); }));
  QVERIFY2(window->messages()->currentText().contains(said), qPrintable(window->messages()->currentText()));
  QVERIFY(window->messages()->currentText().contains('\n'));  // what to do stands below
  QCOMPARE(window->train()->runModel()->rowCount(), 1);       // the recordings are there all the same
  window->train()->showNewRun();
  bool explained = false;
  for (const QLabel* label : window->train()->newRunPage()->findChildren<QLabel*>())
    explained = explained || (label->isVisible() && label->text().contains(said));
  QVERIFY(explained);
  // Repaired, it is asked again without a restart.
  qputenv("FATHOM_ENGINE", fake);
  qputenv("FATHOM_FAKE_DESCRIBE", "good");
  window->action(QStringLiteral("engine.refresh"))->trigger();
  QVERIFY(waitUntil([&] { return window->train()->newRun()->engine() != nullptr; }));
}

void WindowFaultsTest::hangingEngineBlocksNothing() {
  m_fixture->addRun("one");
  qputenv("FATHOM_FAKE_DESCRIBE", "hang");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 1; }));
  QVERIFY(waitUntil([&] { return window->jobs()->count() == 1; }));  // still being asked
  const QModelIndex star = window->train()->runModel()->index(0, RunTableModel::Star);
  window->train()->runModel()->setData(star, true, RunTableModel::StarRole);
  QVERIFY(waitUntil([&] { return star.data(RunTableModel::StarRole).toBool(); }));
  QCOMPARE(window->jobs()->count(), 1);
  window->jobs()->cancelOwner(QStringLiteral("engine"));
  QCOMPARE(window->jobs()->count(), 0);  // at once, for the window
}

// Time on the axis never runs backwards, neither over the history nor over what arrives live.
void WindowFaultsTest::clockSetBack() {
  const std::string path = m_fixture->makeRun("live");
  const std::string file = path + "/attempts/0001/events.jsonl";
  std::ofstream(file) << test::WindowFixture::stepLine(0, 1, 5000)
                      << test::WindowFixture::stepLine(1, 2, 5010)
                      << test::WindowFixture::stepLine(2, 3, 1400)
                      << test::WindowFixture::stepLine(3, 4, 1410);
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  CurvePanel* curves = window->train()->curves()->panel();
  curves->restoreView("{\"axis\":1,\"metrics\":[\"loss\"]}");
  const auto seconds = [curves] {
    std::vector<double> x;
    curves->drawNow();
    for (const FigurePanel& panel : curves->canvas()->spec().panels)
      for (const FigureMark& mark : panel.marks)
        if (const auto* line = std::get_if<LineMark>(&mark.shape)) x = line->x;
    return x;
  };
  QVERIFY(waitUntil([&] { return seconds().size() == 4; }));
  std::ofstream(file, std::ios::app) << test::WindowFixture::stepLine(4, 5, 1420)
                                     << test::WindowFixture::stepLine(5, 6, 300)
                                     << test::WindowFixture::stepLine(6, 7, 310);
  QVERIFY(waitUntil([&] { return seconds().size() == 7; }));
  const std::vector<double> x = seconds();
  QVERIFY(std::is_sorted(x.begin(), x.end()));
  QCOMPARE(x[6] - x[5], 10.0);  // the run went on for ten seconds, whatever the clock says
  QVERIFY(window->train()->lastEventAge() > 0);
}

void WindowFaultsTest::twoWindowsEditOneProject() {
  m_fixture->addRun("one");
  m_fixture->addRun("two");
  MainWindow* first = open();
  MainWindow* second = open();
  QVERIFY(first != nullptr && second != nullptr);
  QVERIFY(waitUntil([&] { return second->train()->runModel()->rowCount() == 2; }));
  const RunItem run = first->train()->runModel()->runs().first();
  RunNotes notes;
  notes.notes = "from the first window";
  first->service()->setNotes(run.uuid, notes);
  QVERIFY(
      waitUntil([&] { return second->train()->runModel()->run(run.uuid)->note == "from the first window"; }));
  // Both write at once: neither loses what it wrote, neither complains.
  const RunItem other = first->train()->runModel()->runs().last();
  for (int i = 0; i < 20; ++i) {
    notes.notes = "first " + std::to_string(i);
    first->service()->setNotes(run.uuid, notes);
    notes.notes = "second " + std::to_string(i);
    second->service()->setNotes(other.uuid, notes);
  }
  for (MainWindow* window : {first, second}) {
    QVERIFY(waitUntil([&] { return window->train()->runModel()->run(run.uuid)->note == "first 19"; }));
    QVERIFY(waitUntil([&] { return window->train()->runModel()->run(other.uuid)->note == "second 19"; }));
  }
  second->service()->trashRuns({run.uuid});
  QVERIFY(waitUntil([&] { return first->train()->runModel()->rowCount() == 1; }));
  QVERIFY(!first->messages()->isVisible());
  QVERIFY(!second->messages()->isVisible());
}

void WindowFaultsTest::newerEventsAreRefusedWithAReason() {
  const std::string path = m_fixture->makeRun("future");
  std::ofstream(path + "/attempts/0001/events.jsonl")
      << test::WindowFixture::stepLine(0, 1, 5000) << test::WindowFixture::stepLine(1, 2, 5001, 1, 2);
  m_fixture->addRun("present");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 2; }));
  const QString future = QString::fromStdString(RunFolder(path).identity()->uuid);
  window->selection()->set(Dimension::Run, {future}, future, nullptr);
  QVERIFY(waitUntil([&] { return window->messages()->isVisible(); }));
  QVERIFY2(window->messages()->currentText().contains("newer Fathom"),
           qPrintable(window->messages()->currentText()));
}

void WindowFaultsTest::readOnlyProject() {
  m_fixture->addRun("one");
  QFile::setPermissions(m_fixture->project(), QFile::ReadOwner | QFile::ExeOwner);
  const OrdinaryUser user(QFileInfo(m_fixture->project()).path());
  QVERIFY2(user.ordinary(), "root's rights cannot be given up here");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 1; }));
  QVERIFY(!window->action(QStringLiteral("run.trash"))->isEnabled());
  QVERIFY(window->messages()->isVisible());
  QVERIFY2(window->windowTitle().endsWith(QStringLiteral("(read-only)")), qPrintable(window->windowTitle()));
  m_host.reset();  // its threads end as they began
  QFile::setPermissions(m_fixture->project(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

// Files, SQLite and the engine are asked in other threads. Not measured but seen: while the GUI thread
// sleeps, the work gets done; its answer waits in the event queue.
void WindowFaultsTest::longWorkIsDoneElsewhere() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->jobs()->count() == 0; }));
  const RunItem run = window->train()->runModel()->runs().first();
  QThread* gui = QThread::currentThread();
  std::atomic<QThread*> where = nullptr;
  window->jobs()->start<int>(
      QStringLiteral("work"), QStringLiteral("test"),
      [&where](Progress&, const StopToken&) -> Result<int> {
        where = QThread::currentThread();
        return 7;
      },
      [](Result<int>) {});
  QVERIFY(waitFor([&] { return where != nullptr; }));  // no event loop here
  QVERIFY(where != gui);
  RunNotes notes;
  notes.notes = "written while the window slept";
  window->service()->setNotes(run.uuid, notes);
  const auto library = ProjectLibrary::open(m_fixture->project().toStdString()).value();
  QVERIFY(
      waitFor([&] { return library->allRunNotes().value()[run.uuid.toStdString()].notes == notes.notes; }));
  QVERIFY(window->train()->runModel()->runs().first().note.isEmpty());  // not told yet
  QVERIFY(waitUntil([&] { return !window->train()->runModel()->runs().first().note.isEmpty(); }));
}

void WindowFaultsTest::queueStandsStillWithAReason_data() {
  QTest::addColumn<QByteArray>("engine");
  QTest::addColumn<QByteArray>("describe");
  QTest::addColumn<QByteArray>("fault");
  QTest::addColumn<QString>("said");
  const QByteArray fake = FATHOM_BIN_DIR "/../tests/fake_engine";
  QTest::newRow("engine gone") << QByteArray("/nowhere/engine") << QByteArray("good") << QByteArray()
                               << "set FATHOM_ENGINE";
  QTest::newRow("another version") << fake << QByteArray("wrong_version") << QByteArray()
                                   << "from the same source";
  QTest::newRow("disk full") << fake << QByteArray("good") << QByteArray("write:0:28:persistent")
                             << "make room";
}

// The window knew a good engine; what is wrong now is seen only by the runner, in another process.
void WindowFaultsTest::queueStandsStillWithAReason() {
  QFETCH(QByteArray, engine);
  QFETCH(QByteArray, describe);
  QFETCH(QByteArray, fault);
  QFETCH(QString, said);
  const QByteArray fake = qgetenv("FATHOM_ENGINE");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->jobs()->count() == 0; }));
  qputenv("FATHOM_ENGINE", engine);
  qputenv("FATHOM_FAKE_DESCRIBE", describe);
  if (!fault.isEmpty()) qputenv("FATHOM_FAULT", fault);
  window->service()->enqueue({newRun("one")});
  const auto text = [&] { return window->messages()->currentText(); };
  const bool explained = waitUntil([&] { return text().contains(said) && text().contains("“Start”"); });
  qputenv("FATHOM_ENGINE", fake);
  qputenv("FATHOM_FAKE_DESCRIBE", "good");
  qunsetenv("FATHOM_FAULT");
  QVERIFY2(explained, qPrintable(text()));
  // Put right: the button that the message names does the rest.
  auto* start = window->findChild<QPushButton*>(QStringLiteral("startQueue"));
  QVERIFY(waitUntil([&] { return !start->isHidden(); }));
  start->click();
  const auto finished = [&] {
    const auto& runs = window->train()->runModel()->runs();
    return runs.size() == 1 && runs.first().state == RunState::Finished;
  };
  QVERIFY(waitUntil(finished));
}

void WindowFaultsTest::fullDiskWhenQueueing() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  window->service()->drain();
  FileFaults::arm(FileFaults::Call::Write, 0, ENOSPC, true);
  window->service()->enqueue({newRun("one")});
  window->service()->drain();
  FileFaults::clear();
  QVERIFY(waitUntil([&] { return window->messages()->isVisible(); }));
  const QString text = window->messages()->currentText();
  QVERIFY2(text.contains(QStringLiteral("/queue/")) && text.contains(QStringLiteral("\nmake room")),
           qPrintable(text));
  QVERIFY(QueueFolder(m_fixture->project().toStdString()).entries()->empty());
}

// The engine finds no room for the run's folder: the run says so, with what to do.
void WindowFaultsTest::fullDiskWhenTheRunIsMade() {
  const QString script = m_fixture->project() + QStringLiteral("/engine.sh");
  QFile file(script);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("#!/bin/sh\n[ \"$1\" = train ] && export FATHOM_FAULT=write:0:28:persistent\nexec " +
             qgetenv("FATHOM_ENGINE") + " \"$@\"\n");
  file.close();
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  qputenv("FATHOM_ENGINE", script.toUtf8());
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  window->service()->enqueue({newRun("one")});
  const auto& runs = window->train()->runModel()->runs();
  QVERIFY(waitUntil([&] { return runs.size() == 1 && runs.first().state == RunState::Failed; }));
  QCOMPARE(runs.first().cause, QStringLiteral("disk"));
  const QString tip =
      window->train()->runModel()->index(0, RunTableModel::State).data(Qt::ToolTipRole).toString();
  for (const char* words : {"disk is full", "No space left", "make room"})
    QVERIFY2(tip.contains(QLatin1String(words)), qPrintable(tip));
}

void WindowFaultsTest::readOnlyProjectRefusesToTrain() {
  QFile::setPermissions(m_fixture->project() + QStringLiteral("/queue"), QFile::ReadOwner | QFile::ExeOwner);
  QFile::setPermissions(m_fixture->project(), QFile::ReadOwner | QFile::ExeOwner);
  {
    const OrdinaryUser user(QFileInfo(m_fixture->project()).path());
    QVERIFY2(user.ordinary(), "root's rights cannot be given up here");
    MainWindow* window = open();
    QVERIFY(window != nullptr);
    QVERIFY2(window->messages()->currentText().contains(QStringLiteral("copy its folder")),
             qPrintable(window->messages()->currentText()));
    window->service()->enqueue({newRun("one")});
    const auto text = [&] { return window->messages()->currentText(); };
    QVERIFY2(waitUntil([&] { return text().contains(QStringLiteral("\nchange its permissions")); }),
             qPrintable(text()));
    QVERIFY2(text().contains(QStringLiteral("/queue")), qPrintable(text()));
    m_host.reset();  // its threads end as they began
  }
  for (const char* folder : {"", "/queue"})
    QFile::setPermissions(m_fixture->project() + QLatin1String(folder),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

QTEST_MAIN(WindowFaultsTest)
#include "tst_window_faults.moc"
