// SPDX-License-Identifier: Apache-2.0
// packaging/python/fathom.py in real programs (written_run.py) that end in every way a training ends, read by
// our own readers and commands. Skipped where there is no python3. Environment: N = number of kills (10, 100
// with FATHOM_ALL_TESTS), SEED = of their moments.
#include <signal.h>

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <QThread>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "core/base/files/atomic_file.h"
#include "core/record/events/event_reader.h"
#include "core/record/events/scalar_reader.h"
#include "core/record/runs/control_folder.h"
#include "core/record/runs/run_lock.h"
#include "tests/all_tests.h"
#include "tests/process/support_project_fixture.h"
#include "tests/process/support_written_run.h"

using namespace fathom;
namespace fs = std::filesystem;

class PythonModuleTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init() { m_fixture = std::make_unique<ProjectFixture>(); }
  void syntaxOfPython38();
  void ends_data();
  void ends();
  void killedAtRandomMoments();
  void stopAndSave();
  void aFileIsAWish();
  void stopInterrupts();
  void abortEndsAtOnce();
  void signalsEnd();
  void childrenDoNotKeepItAlive();
  void fullDisk();
  void diskThatStaysFull();
  void folderDeleted();
  void folderMoved();
  void nowhereToWrite();
  void packagesAreNamed();
  void otherRanksAreSilent();
  void resumedIsTheNextAttempt();
  void twoWritersOfOneRun();
  void namesTablesAndOptions();
  void besideOurOwn();
  void scriptsOfTheHelpPage();

 private:
  static constexpr int kRows = 40;
  std::string run(const QString& name) const { return m_fixture->path() + "/runs/" + name.toStdString(); }
  // A training in `mode`; its run is called so, too.
  std::unique_ptr<QProcess> start(const QString& mode, int rows = kRows, const QStringList& environment = {},
                                  const QString& folder = {}) const;
  static QByteArray finish(QProcess& process) { return test::finishWritten(process); }
  static QByteArray waitFor(QProcess& process, const QByteArray& word) {
    return test::waitForWord(process, word);
  }
  static int acknowledged(const QByteArray& said);
  // Every row up to `rows` is there, each with its number; what comes after is right, too.
  void compareRows(const std::string& path, int rows) const;
  RunOutcome outcome(const QString& name) const;
  ShellResult ask(QStringList words) const {
    words.insert(1, QStringLiteral("--project"));
    words.insert(2, QString::fromStdString(m_fixture->path()));
    return m_fixture->fathom(words);
  }
  QString m_python;
  std::unique_ptr<ProjectFixture> m_fixture;
};

void PythonModuleTest::initTestCase() {
  m_python = test::modulePython();
  if (m_python.isEmpty()) QSKIP("SKIPPED-ALL no python3 of version 3.8 or newer on this machine");
}

std::unique_ptr<QProcess> PythonModuleTest::start(const QString& mode, int rows,
                                                  const QStringList& environment,
                                                  const QString& folder) const {
  return test::startWritten(mode, folder.isEmpty() ? QString::fromStdString(run(mode)) : folder, rows,
                            environment);
}

int PythonModuleTest::acknowledged(const QByteArray& said) {
  int last = 0;
  const auto lines = said.split('\n');
  for (qsizetype i = 0; i + 1 < lines.size(); ++i)  // the last one may be cut
    if (lines[i].startsWith("acked ")) last = lines[i].mid(6).toInt();
  return last;
}

void PythonModuleTest::compareRows(const std::string& path, int rows) const {
  std::map<std::int64_t, double> loss, accuracy;
  const auto all = readRunScalars(path);
  QVERIFY2(all.ok(), all.ok() ? "" : all.error().text().c_str());
  for (const ScalarSeries& series : *all) {
    if (series.metric != "loss" && series.metric != "valid/acc") continue;
    auto& found = series.metric == "loss" ? loss : accuracy;
    for (std::size_t i = 0; i < series.step.size(); ++i)
      found[static_cast<std::int64_t>(series.step[i])] = series.value[i];
  }
  for (int i = 1; i <= rows; ++i) {
    QVERIFY2(loss.contains(i), qPrintable(QStringLiteral("row %1 of %2 is gone").arg(i).arg(rows)));
    if (i % 10 == 0) QCOMPARE(accuracy.at(i), i / 1000.0);
  }
  for (const auto& [step, value] : loss) QCOMPARE(value, 1.0 / static_cast<double>(step));
  const RunFolder folder(path);
  for (const int attempt : folder.attempts()) {
    EventReader reader(folder.eventsPath(attempt));
    QVERIFY(reader.poll().ok());
    QCOMPARE(reader.badLines(), std::int64_t{0});
    QCOMPARE(reader.missingEvents(), std::int64_t{0});
  }
}

RunOutcome PythonModuleTest::outcome(const QString& name) const {
  const RunFolder folder(run(name));
  return folder.outcome(folder.lastAttempt())
      .value_or(RunOutcome{.state = folder.state(), .cause = "no outcome"});
}

void PythonModuleTest::syntaxOfPython38() {
  const QString code = QStringLiteral(
      "import ast, sys\n"
      "for name in sys.argv[1:]: ast.parse(open(name, encoding='utf-8').read(), name, feature_version=(3, "
      "8))");
  QCOMPARE(
      QProcess::execute(m_python, {QStringLiteral("-c"), code,
                                   QStringLiteral(FATHOM_SOURCE_DIR "/packaging/python/fathom.py"),
                                   QStringLiteral(FATHOM_SOURCE_DIR "/tests/process/written_run.py"),
                                   QStringLiteral(FATHOM_SOURCE_DIR "/tests/process/captured_attention.py")}),
      0);
}

void PythonModuleTest::ends_data() {
  QTest::addColumn<QString>("state");
  QTest::addColumn<QString>("cause");
  QTest::addColumn<int>("exitCode");
  QTest::addColumn<int>("rows");
  QTest::newRow("exception") << "failed"
                             << "exception" << 1 << kRows;
  QTest::newRow("exit7") << "failed"
                         << "exit_code" << 7 << kRows;
  QTest::newRow("exit_text") << "failed"
                             << "exit_code" << 1 << kRows;
  QTest::newRow("os_exit") << "crashed"
                           << "no outcome" << 3 << kRows;
  QTest::newRow("caught_exit") << "finished"
                               << "" << 0 << kRows + 5;
  QTest::newRow("pool") << "finished"
                        << "" << 0 << kRows + 5;
  QTest::newRow("threads") << "finished"
                           << "" << 0 << kRows + 5;
  QTest::newRow("wandb") << "finished"
                         << "" << 0 << kRows;
  QTest::newRow("score") << "finished"
                         << "" << 0 << kRows;
}

void PythonModuleTest::ends() {
  QFETCH(QString, state);
  QFETCH(QString, cause);
  QFETCH(int, exitCode);
  QFETCH(int, rows);
  const QString mode = QLatin1String(QTest::currentDataTag());
  const auto process = start(mode);
  const QByteArray said = finish(*process);
  QVERIFY2(process->exitCode() == exitCode, (said + process->readAllStandardError()).constData());
  const RunOutcome ended = outcome(mode);
  QCOMPARE(runStateName(ended.state), state.toStdString().c_str());
  QCOMPARE(ended.cause, cause.toStdString());
  QCOMPARE(acknowledged(said), rows);
  if (mode != "wandb") compareRows(run(mode), rows);
  if (mode == "exception") {
    QCOMPARE(ended.message.english(), std::string("ValueError: the data are gone: ü"));
    QVERIFY(fs::file_size(RunFolder(run(mode)).attemptPath(1) + "/stderr.log") > 0);
  }
  if (mode == "score") QCOMPARE(ended.scores["test/bleu"].get<double>(), 28.5);
}

void PythonModuleTest::killedAtRandomMoments() {
  const bool all = test::allTests();
  const int kills = qEnvironmentVariableIsSet("N") ? qEnvironmentVariableIntValue("N") : all ? 100 : 10;
  const int seed = qEnvironmentVariableIsSet("SEED") ? qEnvironmentVariableIntValue("SEED") : 1;
  qInfo("SEED=%d N=%d", seed, kills);
  std::mt19937 chance(static_cast<unsigned>(seed));
  for (int i = 0; i < kills; ++i) {
    const QString folder = QString::fromStdString(run(QStringLiteral("kill-%1").arg(i)));
    const auto process = start(QStringLiteral("forever"), kRows, {}, folder);
    QByteArray said = waitFor(*process, "acked");
    QThread::usleep(chance() % 300000);  // the moment of the kill is what is tried
    QVERIFY(process->processId() > 0);
    ::kill(static_cast<pid_t>(process->processId()), SIGKILL);
    process->waitForFinished();
    said += process->readAllStandardOutput();
    // A program that it was just starting (git, nvidia-smi) shares its lock until that begins.
    QTRY_COMPARE_WITH_TIMEOUT(runStateName(RunFolder(folder.toStdString()).state()),
                              runStateName(RunState::Crashed), 5000);
    QVERIFY(acknowledged(said) >= 5);
    compareRows(folder.toStdString(), acknowledged(said));
  }
}

// The loop asks should_stop() and should_save(): both come through the socket, and the end is within a step.
void PythonModuleTest::stopAndSave() {
  const auto process = start(QStringLiteral("asks"));
  QVERIFY(waitFor(*process, "acked").contains("acked"));
  QVERIFY(RunFolder(run("asks")).state() == RunState::Running);
  QCOMPARE(ask({"runs", "--json"}).json()["runs"][0]["state"].get<std::string>(), std::string("running"));
  QVERIFY(sendControl(run("asks"), "checkpoint").ok());
  QVERIFY(waitFor(*process, "saved 1").contains("saved 1"));
  QElapsedTimer timer;
  timer.start();
  const ShellResult stopped = ask({"stop", "asks"});
  QVERIFY2(stopped.exitCode == 0, qPrintable(stopped.err));
  QVERIFY(waitFor(*process, "stopped").contains("stopped"));
  QVERIFY2(timer.elapsed() < 5000, "a stop is heard within a tenth of a second");
  finish(*process);
  QCOMPARE(process->exitCode(), 0);
  QVERIFY(outcome("asks").state == RunState::Stopped);
  EventReader reader(RunFolder(run("asks")).eventsPath(1));
  const auto events = reader.poll().value();
  const bool noted = std::any_of(events.begin(), events.end(), [](const Event& event) {
    return event.kind == "checkpoint" && event.members["bytes"] == 7;
  });
  QVERIFY(noted);
  QVERIFY(!runLockHolder(run("asks")));
  QVERIFY(deadSocketsOf(RunFolder(run("asks")).identity()->uuid).empty());
}

// For whoever shares the disk and cannot reach the socket.
void PythonModuleTest::aFileIsAWish() {
  const std::string folder = run(QStringLiteral("filed"));
  const auto process = start(QStringLiteral("asks"), kRows, {}, QString::fromStdString(folder));
  QVERIFY(waitFor(*process, "acked").contains("acked"));
  QVERIFY(runLockHolder(folder)->looksForWishes);
  QVERIFY(leaveWish(folder, "checkpoint").ok());
  QVERIFY(waitFor(*process, "saved 1").contains("saved 1"));
  QVERIFY(leaveWish(folder, "stop").ok());
  QVERIFY(waitFor(*process, "stopped").contains("stopped"));
  finish(*process);
  QVERIFY(RunFolder(folder).state() == RunState::Stopped);
  QVERIFY(fs::is_empty(folder + "/control"));
}

void PythonModuleTest::stopInterrupts() {
  const auto process = start(QStringLiteral("interrupted_stop"));
  QVERIFY(waitFor(*process, "acked").contains("acked"));
  QVERIFY(sendControl(run("interrupted_stop"), "stop").ok());
  finish(*process);
  QVERIFY(outcome("interrupted_stop").state == RunState::Stopped);
}

void PythonModuleTest::abortEndsAtOnce() {
  const auto process = start(QStringLiteral("deaf"));
  QVERIFY(waitFor(*process, "acked").contains("acked"));
  const ShellResult aborted = ask({"abort", "deaf"});
  QVERIFY2(aborted.exitCode == 0, qPrintable(aborted.err));
  finish(*process);
  QVERIFY(process->exitStatus() == QProcess::CrashExit);
  QVERIFY(outcome("deaf").state == RunState::Killed && outcome("deaf").cause == "aborted");
  compareRows(run("deaf"), kRows);
}

// SIGTERM ends a program that does not listen, and lets one that asks should_stop() end by itself; Ctrl-C.
void PythonModuleTest::signalsEnd() {
  struct Case {
    const char* mode;
    const char* ready;
    int signal, exitCode;
    const char* cause;
  };
  for (const Case& each :
       {Case{"deaf", "acked", SIGTERM, 143, "terminated"}, Case{"asks", "asked", SIGTERM, 0, ""},
        Case{"ctrl_c", "waiting", SIGINT, 130, "interrupt"}}) {
    const auto process = start(QLatin1String(each.mode));
    QVERIFY(waitFor(*process, each.ready).contains(each.ready) && process->processId() > 0);
    ::kill(static_cast<pid_t>(process->processId()), each.signal);
    finish(*process);
    const RunOutcome ended = outcome(QLatin1String(each.mode));
    QVERIFY2(ended.state == RunState::Stopped, each.mode);
    QVERIFY2(ended.cause == each.cause,
             qPrintable(QString(each.mode) + ": " + QString::fromStdString(ended.cause)));
    if (each.signal == SIGTERM) QCOMPARE(process->exitCode(), each.exitCode);
    compareRows(run(QLatin1String(each.mode)), kRows);
  }
}

void PythonModuleTest::childrenDoNotKeepItAlive() {
  const auto process = start(QStringLiteral("fork"));
  QByteArray said = waitFor(*process, "child");
  process->waitForFinished(10000);
  said += process->readAllStandardOutput();
  QVERIFY(RunFolder(run("fork")).state() == RunState::Crashed);
  compareRows(run("fork"), kRows + 5);
  const int child = said.mid(said.indexOf("child") + 6).trimmed().toInt();
  QVERIFY(child > 0);
  ::kill(child, SIGKILL);
}

void PythonModuleTest::fullDisk() {
  const auto process = start(QStringLiteral("full_disk"));
  const QByteArray said = finish(*process);
  const QByteArray err = process->readAllStandardError();
  QVERIFY2(process->exitCode() == 0, (said + err).constData());
  QVERIFY(said.contains("full"));
  QCOMPARE(err.count("File too large"), 1);  // said once
  compareRows(run("full_disk"), kRows + 200);
  QVERIFY(outcome("full_disk").state == RunState::Finished);
}

void PythonModuleTest::diskThatStaysFull() {
  const auto process = start(QStringLiteral("still_full"));
  const QByteArray said = finish(*process);
  QVERIFY2(process->exitCode() == 0, (said + process->readAllStandardError()).constData());
  compareRows(run("still_full"), kRows);
  // The end, for which there is room again, tells that the curves stop before it.
  const RunOutcome ended = outcome("still_full");
  QVERIFY(ended.state == RunState::Finished);
  QVERIFY(ended.details["not_recorded"]["rows"].get<int>() > 19000);
  QVERIFY(ended.message.english().find("rows are not recorded: the disk took no more") != std::string::npos);
}

void PythonModuleTest::folderDeleted() {
  const auto process = start(QStringLiteral("deleted"));
  waitFor(*process, "delete");
  fs::remove_all(run("deleted"));
  process->write("\n");
  const QByteArray said = finish(*process);
  QVERIFY2(process->exitCode() == 0 && said.contains("alive"), said.constData());
  const QByteArray err = process->readAllStandardError();
  QVERIFY2(err.count("the folder of the run was deleted") == 1 && err.count('\n') == 2, err.constData());
  QVERIFY(!fs::exists(run("deleted")));  // never made again
}

void PythonModuleTest::folderMoved() {
  const auto process = start(QStringLiteral("moved"));
  waitFor(*process, "move\n");
  fs::rename(run("moved"), run("elsewhere"));
  process->write("\n");
  finish(*process);
  QCOMPARE(process->exitCode(), 0);
  compareRows(run("elsewhere"), kRows + 100);
  QVERIFY(outcome("elsewhere").state == RunState::Finished && !fs::exists(run("moved")));
}

void PythonModuleTest::nowhereToWrite() {
  const auto process = start(QStringLiteral("score"), kRows, {}, QStringLiteral("/proc/nowhere/run"));
  const QByteArray said = finish(*process), err = process->readAllStandardError();
  // Its own check of flush() fails; nothing else does, and the one sentence is said once.
  QVERIFY2(process->exitCode() == 1 && err.contains("AssertionError: flush"), (said + err).constData());
  QVERIFY2(err.count("fathom: /proc/nowhere/run") == 1 && err.count("Traceback") == 1, err.constData());
}

// By the folders of the packages that are imported, one without a version by what stands in it.
void PythonModuleTest::packagesAreNamed() {
  const std::string first = m_fixture->path() + "/first", second = m_fixture->path() + "/second";
  for (const char* name : {"/demo_pack-1.2.post1.dist-info", "/old-0.3-py3.9.egg-info", "/bare.egg-info"})
    fs::create_directories(first + name);
  std::ofstream(first + "/bare.egg-info/PKG-INFO") << "Metadata-Version: 2.1\nName: bare\nVersion: 4.5\n";
  fs::create_directories(second + "/Demo_Pack-9.dist-info");
  const QString paths = QString::fromStdString(first + ":" + second + ":/nowhere");
  const auto process = start(QStringLiteral("plain"), kRows, {QStringLiteral("PYTHONPATH=") + paths});
  finish(*process);
  QCOMPARE(process->exitCode(), 0);
  const std::string packages = readFile(run("plain") + "/artifacts/requirements.txt").value();
  for (const char* line : {"demo_pack==1.2.post1\n", "old==0.3\n", "bare==4.5\n"})
    QVERIFY2(packages.find(line) != std::string::npos, packages.c_str());
  QVERIFY(packages.find("==9\n") == std::string::npos);
}

void PythonModuleTest::otherRanksAreSilent() {
  const auto process = start(QStringLiteral("score"), kRows, {QStringLiteral("RANK=1")});
  finish(*process);
  QCOMPARE(process->exitCode(), 0);
  QVERIFY(process->readAllStandardError().isEmpty() && !fs::exists(run("score")));
}

void PythonModuleTest::resumedIsTheNextAttempt() {
  finish(*start(QStringLiteral("os_exit"), 20));
  const std::string uuid = RunFolder(run("os_exit")).identity()->uuid;
  const auto again = start(QStringLiteral("score"), 30, {}, QString::fromStdString(run("os_exit")));
  finish(*again);
  QCOMPARE(again->exitCode(), 0);
  const RunFolder folder(run("os_exit"));
  QCOMPARE(folder.attempts(), (std::vector<int>{1, 2}));
  QCOMPARE(folder.identity()->uuid, uuid);
  compareRows(run("os_exit"), 30);
  QVERIFY(folder.state() == RunState::Finished);
}

void PythonModuleTest::twoWritersOfOneRun() {
  const auto first = start(QStringLiteral("asks"));
  QVERIFY(waitFor(*first, "acked").contains("acked"));
  const auto second = start(QStringLiteral("score"), kRows, {}, QString::fromStdString(run("asks")));
  finish(*second);
  const QByteArray err = second->readAllStandardError();
  QVERIFY2(second->exitCode() == 0 && err.count("another process writes this run") == 1, err.constData());
  QVERIFY(sendControl(run("asks"), "stop").ok());
  finish(*first);
  QCOMPARE(RunFolder(run("asks")).attempts(), std::vector<int>{1});
  compareRows(run("asks"), kRows);
}

void PythonModuleTest::namesTablesAndOptions() {
  finish(*start(QStringLiteral("values")));
  const std::pair<const char*, Json> expected[] = {
      {"acc/ü", 0.5},      {"a\"b", 1.0},     {"nested.deep.x", 2.5}, {"nan", "NaN"},
      {"inf", "Infinity"}, {"m4999", 4999.0}, {"flag", 1.0}};
  for (const auto& [name, value] : expected) {
    const ShellResult told = ask({"curves", "--json", "values", "--metric", QString::fromUtf8(name)});
    QVERIFY2(told.exitCode == 0, qPrintable(told.err));
    QCOMPARE(told.json()["curves"][0]["value"], Json::array({value}));
  }
  QVERIFY(ask({"curves", "--csv", "values", "--metric", "a\"b"}).out.contains(QLatin1String("\"a\"\"b\"")));
  QVERIFY(ask({"curves", "values", "--metric", "text"}).exitCode != 0);
  const ShellResult drawn = ask({"export-figure", "--figure", "training_curve", "--runs", "values", "--set",
                                 QString::fromUtf8("metric=acc/ü"), "--out", m_fixture->file("named.svg")});
  QVERIFY2(drawn.exitCode == 0, qPrintable(drawn.err));
  QFile figure(m_fixture->file("named.svg"));
  QVERIFY(figure.open(QIODevice::ReadOnly) && figure.readAll().contains("acc/ü"));
  const Json shown = ask({"show", "--json", "values"}).json();
  QCOMPARE(shown["run"]["options"]["lr"].get<double>(), 0.1);
  const std::string set = shown["predictions"][0]["path"].get<std::string>();
  const ShellResult reviewed =
      m_fixture->fathom({"review", "--kind", "class", "--gold", QString::fromStdString(set), "--predictions",
                         QString::fromStdString(set), "--json"});
  QVERIFY2(reviewed.exitCode == 0, qPrintable(reviewed.err));
  const Json model = reviewed.json()["models"][0];
  QCOMPARE(model["missing"].get<int>(), 0);
  int right = 0;
  for (int i = 0; i < 30; ++i) right += i % 2 == i % 3 % 2;
  QCOMPARE(model["scores"]["accuracy"].get<double>(), 100.0 * right / 30);
  QVERIFY(model["scores"]["ece"].is_number());  // it has the probabilities
  finish(*start(QStringLiteral("given"), 5, {QStringLiteral("FATHOM_OPTIONS={\"lr\": 7}")}));
  QCOMPARE(ask({"show", "--json", "given"}).json()["run"]["options"]["lr"].get<int>(), 7);
  finish(*start(QStringLiteral("discard"), 5));
  QVERIFY(!fs::exists(run("discard")));
  QVERIFY(fs::exists(m_fixture->path() + "/trash/discard/run.json"));
}

// Commands about trainings of ours say what to do instead; figures and comparisons take such runs.
void PythonModuleTest::besideOurOwn() {
  finish(*start(QStringLiteral("score")));
  finish(*start(QStringLiteral("exit7")));
  // What it recorded is started again.
  qputenv("FATHOM_MODULE", FATHOM_SOURCE_DIR "/packaging/python");
  const ShellResult again = ask({"retry", "score", "--wait", "--json"});
  QVERIFY2(again.exitCode == 0, qPrintable(again.err));
  QVERIFY(again.json()["run"]["path"] != run("score") && again.json()["outcome"]["scores"].size() == 1);
  const std::string second = again.json()["run"]["uuid"];
  QCOMPARE(ask({"delete", QString::fromStdString(second)}).exitCode, 0);  // the script calls it "score", too
  const ShellResult finished = ask({"resume", "score"});
  QVERIFY2(finished.exitCode == 30 && finished.err.contains("has finished"), qPrintable(finished.err));
  // One of another machine has its command there.
  const std::string described = run("score") + "/run.json";
  Json json = readJsonFile(described).value();
  json["provenance"]["host"] = "another-host";
  QVERIFY(writeFileAtomically(described, json.dump()).ok());
  for (const char* command : {"resume", "retry"}) {
    const ShellResult refused = ask({QLatin1String(command), "score"});
    QCOMPARE(refused.exitCode, 30);
    QVERIFY2(refused.err.contains(QLatin1String("was written by fathom.py")) &&
                 refused.err.contains(QLatin1String("written_run.py score")),
             qPrintable(refused.err));
    // Gone on with as the next attempt of the run, repeated as another run.
    const QString same = QStringLiteral("FATHOM_RUN_DIR=") + QString::fromStdString(run("score")) + " ";
    QCOMPARE(refused.err.contains(same), command == std::string_view("resume"));
  }
  const ShellResult grid =
      ask({"grid", "--config", QString::fromStdString(RunFolder(run("score")).configPath(1)), "--over",
           "lr=1,2"});
  QVERIFY2(grid.exitCode == 30 && grid.err.contains(QLatin1String("was written by fathom.py")),
           qPrintable(grid.err));
  const ShellResult compared = ask({"compare", "score", "exit7"});
  QVERIFY2(compared.exitCode == 0, qPrintable(compared.err));
  for (const char* folder : {"first", "second"})
    finish(*start(QStringLiteral("values"), kRows, {}, QString::fromStdString(run(QLatin1String(folder)))));
  const ShellResult tested = ask({"compare", "first", "second", "--test", "bootstrap", "--json"});
  QVERIFY2(tested.exitCode == 0, qPrintable(tested.err));
  QCOMPARE(tested.json()["test"]["review"].get<std::string>(), std::string("class"));
  QCOMPARE(tested.json()["test"]["examples"].get<int>(), 30);
  const QString figure = m_fixture->file("curve.svg");
  const ShellResult drawn = ask({"export-figure", "--figure", "training_curve", "--runs", "score", "--runs",
                                 "exit7", "--set", "metric=loss", "--out", figure});
  QVERIFY2(drawn.exitCode == 0, qPrintable(drawn.err));
  QVERIFY(fs::file_size(figure.toStdString()) > 1000);
}

// Both programs of the page, as they stand there.
void PythonModuleTest::scriptsOfTheHelpPage() {
  QFile page(QStringLiteral(FATHOM_SOURCE_DIR "/resources/help/run_folder.md"));
  QVERIFY(page.open(QIODevice::ReadOnly));
  const QList<QByteArray> parts = page.readAll().replace("```python\n", "\f").split('\f');
  QCOMPARE(parts.size(), 3);
  for (int i = 1; i < 3; ++i) {
    QFile script(m_fixture->file(i == 1 ? "module.py" : "whole.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(parts[i].left(parts[i].indexOf("```")));
    script.close();
    QProcess process;
    process.setProcessEnvironment(test::moduleEnvironment(
        {QStringLiteral("FATHOM_PROJECT=") + QString::fromStdString(m_fixture->path())}));
    process.start(m_python, {script.fileName(), QString::fromStdString(run(QStringLiteral("whole")))});
    finish(process);
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
  }
  const Json runs = ask({"runs", "--json"}).json()["runs"];
  QCOMPARE(runs.size(), std::size_t{2});
  for (const Json& each : runs) {
    const bool module = each["name"] == "post_ln";
    QCOMPARE(each["state"].get<std::string>(), std::string("finished"));
    QCOMPARE(each["step"].get<int>(), module ? 100 : 20);
    QCOMPARE(each["best"][module ? "valid/bleu" : "valid/acc"].get<double>(), module ? 20.0 : 1.0);
  }
}

QTEST_GUILESS_MAIN(PythonModuleTest)
#include "tst_python_module.moc"
