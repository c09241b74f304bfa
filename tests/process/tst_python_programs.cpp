// SPDX-License-Identifier: Apache-2.0
// packaging/python/fathom.py in programs as people have them: workers of pools and of PyTorch's loader,
// torchrun, a Trainer, Lightning, names that are no UTF-8, a repository of one's own, the wheel. Without the
// packages stand-ins call what they would (written_run.py). Skipped where there is no python3.
#include <QDir>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/record/events/event_reader.h"
#include "core/record/events/scalar_reader.h"
#include "core/record/runs/run_lock.h"
#include "tests/process/support_ended.h"
#include "tests/process/support_project_fixture.h"
#include "tests/process/support_written_run.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

constexpr int kProgramRows = 40;

const ScalarSeries* seriesCalled(const std::vector<ScalarSeries>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.metric == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string textOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Where torch can be imported, as packaging/bench-peers.sh arranges it.
QString torchPath() {
  const QString libtorch = qEnvironmentVariable("FATHOM_LIBTORCH");
  return QStringLiteral(FATHOM_SOURCE_DIR "/packaging/python:" FATHOM_SOURCE_DIR
                                          "/build/bench-peers/python:") +
         (libtorch.isEmpty() ? QStringLiteral(FATHOM_SOURCE_DIR "/build/deps/libtorch")
                             : QDir(libtorch + QStringLiteral("/..")).absolutePath());
}

}  // namespace

class PythonProgramsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init() { m_fixture = std::make_unique<ProjectFixture>(); }
  void namesThatAreNoText();
  void workersWriteNothing_data();
  void workersWriteNothing();
  void torchrunWritesOneRun();
  void aFurtherRun();
  void trainerOfTransformers();
  void loggerOfLightning();
  void whereTheProgramComesFrom();
  void wheel();

 private:
  std::string run(const QString& name) const { return m_fixture->path() + "/runs/" + name.toStdString(); }
  QString project() const { return QString::fromStdString(m_fixture->path()); }
  std::unique_ptr<QProcess> start(const QString& mode, int rows = kProgramRows,
                                  const QStringList& environment = {}, const QStringList& before = {}) const {
    const QStringList more = QStringList{QStringLiteral("FATHOM_PROJECT=") + project()} + environment;
    return test::startWritten(mode, QString::fromStdString(run(mode)), rows, more, before);
  }
  // Folders of all runs of the project, the one that is called `first` in front.
  std::vector<std::string> runs(const QString& first) const;
  static bool torchThere();
  std::unique_ptr<ProjectFixture> m_fixture;
};

void PythonProgramsTest::initTestCase() {
  if (test::modulePython().isEmpty()) QSKIP("SKIPPED-ALL no python3 of version 3.8 or newer on this machine");
}

std::vector<std::string> PythonProgramsTest::runs(const QString& first) const {
  std::vector<std::string> found = {run(first)};
  for (const auto& entry : fs::directory_iterator(m_fixture->path() + "/runs"))
    if (entry.path() != found.front()) found.push_back(entry.path().string());
  return found;
}

bool PythonProgramsTest::torchThere() {
  const test::Ended asked =
      test::ran(test::modulePython(), {QStringLiteral("-c"), QStringLiteral("import torch.utils.data")},
                test::moduleEnvironment({QStringLiteral("PYTHONPATH=") + torchPath()}));
  return asked.code == 0;
}

// A path of bytes as name, option and word of the command; steps that are none; a row of 100,000 metrics.
void PythonProgramsTest::namesThatAreNoText() {
  const auto process = start(QStringLiteral("odd"));
  test::finishWritten(*process);
  const QByteArray err = process->readAllStandardError();
  QVERIFY2(process->exitCode() == 0, err.constData());
  QVERIFY2(
      err.count("a row could not be logged") == 1 && err.contains("its step -3 is no number from 0 to 2^53"),
      err.constData());
  const RunFolder folder(run("odd"));
  const RunIdentity identity = folder.identity().value();
  QCOMPARE(identity.name,
           std::string("another \\udcff"));  // as run.json says it since the program changed it
  QCOMPARE(identity.provenance["notes"].get<std::string>(), std::string("late"));
  QCOMPARE(identity.provenance["tags"], Json::array({"b", "a"}));
  QCOMPARE(identity.provenance["command"].back().get<std::string>(), std::string("/data/\\udcff"));
  const Json options = folder.config(1).value()["options"];
  QCOMPARE(options["data"].get<std::string>(), std::string("/data/\\udcff"));
  QCOMPARE(options["smile"].get<std::string>(), std::string("😀"));
  QCOMPARE(options["ud"].get<std::string>(), std::string("\\ud800"));
  const auto all = readRunScalars(folder.path()).value();
  QCOMPARE(all.size(), std::size_t{100'003});
  QCOMPARE(seriesCalled(all, "m\\udcff")->value, std::vector<double>{1.5});
  QCOMPARE(seriesCalled(all, "m\\udcfe")->value, std::vector<double>{2.5});
  QCOMPARE(seriesCalled(all, "loss")->value, (std::vector<double>{1, 0.5}));
  QCOMPARE(seriesCalled(all, "name/099999")->value, std::vector<double>{99999});
  EventReader reader(folder.eventsPath(1));
  QVERIFY(reader.poll().ok() && reader.badLines() == 0 && reader.missingEvents() == 0);
  QCOMPARE(folder.outcome(1)->details["not_recorded"]["rows"].get<int>(), 4);
}

void PythonProgramsTest::workersWriteNothing_data() {
  QTest::addColumn<bool>("torch");
  QTest::newRow("spawn") << false;
  QTest::newRow("forkserver") << false;
  QTest::newRow("loader") << true;
}

// Of a pool, of a DataLoader, however they are begun: one run, with the rows of the program alone.
void PythonProgramsTest::workersWriteNothing() {
  QFETCH(bool, torch);
  if (torch && !torchThere()) QSKIP("python3 has no torch: packaging/bench-peers.sh fetches what it needs");
  const QString mode = QLatin1String(QTest::currentDataTag());
  QStringList environment = {QStringLiteral("FATHOM_RUN_DIR=")};
  if (torch) environment << QStringLiteral("PYTHONPATH=") + torchPath();
  const auto process = start(mode, kProgramRows, environment);
  test::finishWritten(*process);
  const QByteArray err = process->readAllStandardError();
  QVERIFY2(process->exitCode() == 0, err.constData());
  QCOMPARE(err.count("fathom: "), 1);  // where the run is
  std::vector<std::string> found = runs({});
  found.erase(found.begin());
  QCOMPARE(found.size(), std::size_t{1});
  const auto all = readRunScalars(found.front()).value();
  const std::vector<double>& loss = seriesCalled(all, "loss")->value;
  QCOMPARE(loss.size(), std::size_t{kProgramRows + 5});
  QVERIFY(*std::min_element(loss.begin(), loss.end()) > 0);
}

void PythonProgramsTest::torchrunWritesOneRun() {
  if (!torchThere()) QSKIP("python3 has no torch: packaging/bench-peers.sh fetches what it needs");
  const auto process = start(QStringLiteral("score"), kProgramRows,
                             {QStringLiteral("FATHOM_RUN_DIR="), QStringLiteral("PYTHONPATH=") + torchPath()},
                             {QStringLiteral("-m"), QStringLiteral("torch.distributed.run"),
                              QStringLiteral("--standalone"), QStringLiteral("--nproc_per_node=3")});
  test::finishWritten(*process);
  const QByteArray err = process->readAllStandardError();
  QVERIFY2(process->exitCode() == 0, err.constData());
  QCOMPARE(err.count("fathom: run"), 1);
  std::vector<std::string> found = runs({});
  found.erase(found.begin());
  QCOMPARE(found.size(), std::size_t{1});
  QVERIFY(RunFolder(found.front()).state() == RunState::Finished);
  const auto all = readRunScalars(found.front()).value();
  QCOMPARE(seriesCalled(all, "loss")->value.size(), std::size_t{kProgramRows});
}

void PythonProgramsTest::aFurtherRun() {
  const auto process = start(QStringLiteral("again"));
  test::finishWritten(*process);
  QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
  const auto found = runs(QStringLiteral("again"));
  QCOMPARE(found.size(), std::size_t{2});
  for (const std::string& each : found) QVERIFY(RunFolder(each).state() == RunState::Finished);
  QCOMPARE(seriesCalled(readRunScalars(found[0]).value(), "loss")->value.size(), std::size_t{kProgramRows});
  QCOMPARE(seriesCalled(readRunScalars(found[1]).value(), "loss")->value.size(), std::size_t{1});
}

// Two trainings of one program are two runs. Save now and Stop of the second come between two of its steps.
void PythonProgramsTest::trainerOfTransformers() {
  const auto process = start(QStringLiteral("callback"), 1'000'000);
  QVERIFY(test::waitForWord(*process, "begun 2").contains("begun 2"));
  const auto found = runs(QStringLiteral("callback"));
  QCOMPARE(found.size(), std::size_t{2});
  QVERIFY(sendControl(found[1], "checkpoint").ok());
  QVERIFY(test::waitForWord(*process, "saved").contains("saved"));
  QVERIFY(sendControl(found[1], "stop").ok());
  test::finishWritten(*process);
  QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
  const RunFolder first(found[0]), second(found[1]);
  QVERIFY(first.state() == RunState::Finished && second.state() == RunState::Stopped);
  const Json options = first.config(1).value()["options"];
  QCOMPARE(options["seed"].get<int>(), 1);
  QCOMPARE(options["model.layers"].get<int>(), 2);
  QVERIFY(!options.contains("output_dir") && !options.contains("model._name"));
  const auto all = readRunScalars(found[0]).value();
  QCOMPARE(seriesCalled(all, "loss")->value.size(), std::size_t{20});
  QCOMPARE(seriesCalled(all, "eval/acc")->value, (std::vector<double>{0.01, 0.02}));
  QCOMPARE(first.outcome(1)->scores["train_loss"].get<double>(), 0.5);
  int checkpoints = 0, validations = 0;
  const auto events = EventReader(second.eventsPath(1)).poll().value();
  for (const Event& event : events) {
    checkpoints += event.kind == "checkpoint";
    validations += event.kind == "validation";
  }
  QVERIFY2(checkpoints == 2, "one that was asked for, one of the stop");
  QVERIFY(validations >= 2);
}

// A stop does not wait for the next row, which comes each fiftieth batch.
void PythonProgramsTest::loggerOfLightning() {
  const auto process = start(QStringLiteral("logger"), 1'000'000);
  QVERIFY(test::waitForWord(*process, "begun").contains("begun"));
  QVERIFY(sendControl(run("logger"), "stop").ok());
  QElapsedTimer timer;
  timer.start();
  const QByteArray said = test::waitForWord(*process, "stopped");
  QVERIFY(said.contains("stopped"));
  QVERIFY2(timer.elapsed() < 5000, "a stop is heard within a tenth of a second");
  test::finishWritten(*process);
  const RunFolder folder(run("logger"));
  QVERIFY(folder.state() == RunState::Stopped);
  QCOMPARE(folder.config(1).value()["options"]["lr"].get<double>(), 0.1);
  const auto events = EventReader(folder.eventsPath(1)).poll().value();
  const auto saved = std::find_if(events.begin(), events.end(),
                                  [](const Event& event) { return event.kind == "checkpoint"; });
  QVERIFY(saved != events.end() && saved->members["bytes"] == 7);
  QVERIFY(
      std::any_of(events.begin(), events.end(), [](const Event& each) { return each.kind == "validation"; }));
}

void PythonProgramsTest::whereTheProgramComesFrom() {
  if (QStandardPaths::findExecutable(QStringLiteral("git")).isEmpty()) QSKIP("there is no git");
  const QString repository = m_fixture->file("mine");
  QVERIFY(QDir().mkpath(repository));
  const auto git = [&](QStringList words) {
    words = QStringList{"-C", repository, "-c", "user.name=a", "-c", "user.email=a@b"} + words;
    return test::ran(QStringLiteral("git"), words);
  };
  const std::string script = repository.toStdString() + "/train.py";
  // It waits until its repository is written down, which a short program need not.
  std::ofstream(script)
      << "import fathom, os, time\n"
         "path = os.path.join(fathom.init(name='mine').dir, 'run.json')\n"
         "until = time.time() + 60\n"
         "while 'revision' not in open(path).read() and time.time() < until: time.sleep(0.01)\n";  // it looks
                                                                                                   // again
  QVERIFY(git({"init", "-q"}).code == 0 && git({"add", "."}).code == 0);
  QVERIFY(git({"commit", "-q", "-m", "first"}).code == 0);
  std::ofstream(script, std::ios::app) << "# not committed\n";
  std::ofstream(repository.toStdString() + "/notes.txt") << "x";
  const test::Ended ended = test::ran(
      test::modulePython(), {QString::fromStdString(script), QStringLiteral("--lr"), QStringLiteral("0.1")},
      test::moduleEnvironment({QStringLiteral("FATHOM_RUN_DIR=") + QString::fromStdString(run("mine"))}));
  QVERIFY2(ended.code == 0, ended.err.constData());
  const Json provenance = RunFolder(run("mine")).identity()->provenance;
  const Json& source = provenance["source"];
  QCOMPARE(QByteArray::fromStdString(source["revision"].get<std::string>()),
           git({"rev-parse", "HEAD"}).out.trimmed());
  QCOMPARE(source["untracked"], Json::array({"notes.txt"}));
  const std::string diff = textOf(run("mine") + "/" + source["diff"].get<std::string>());
  QVERIFY2(diff.find("+# not committed\n") != std::string::npos, diff.c_str());
  QCOMPARE(source["diff_bytes"].get<std::size_t>(), diff.size());
  QVERIFY(fs::exists(run("mine") + "/" + provenance["packages"].get<std::string>()));
  const std::size_t words = provenance["command"].size();
  QCOMPARE(provenance["command"][words - 2].get<std::string>(), std::string("--lr"));
}

// The same bytes each time, and a file that Python imports as it is; pip takes it where there is one.
void PythonProgramsTest::wheel() {
  const QString build = QStringLiteral(FATHOM_SOURCE_DIR "/packaging/python/build.sh");
  std::string wheels[2];
  for (int i = 0; i < 2; ++i) {
    const test::Ended built =
        test::ran(QStringLiteral("bash"), {build, m_fixture->file(i == 0 ? "first" : "second")});
    QVERIFY2(built.code == 0, built.err.constData());
    wheels[i] = built.out.trimmed().toStdString();
  }
  QVERIFY(wheels[0].ends_with("-py3-none-any.whl") && textOf(wheels[0]) == textOf(wheels[1]));
  const QString ask = QStringLiteral("import fathom; print(fathom.__version__, fathom.__file__)");
  const QString wheel = QString::fromStdString(wheels[0]);
  const auto imported = [&](const QString& path) {
    return test::ran(test::modulePython(), {QStringLiteral("-c"), ask},
                     test::moduleEnvironment({QStringLiteral("PYTHONPATH=") + path}))
        .out;
  };
  QVERIFY2(imported(wheel).contains(wheel.toUtf8()), imported(wheel).constData());
  const QString place = m_fixture->file("installed");
  const test::Ended pip = test::ran(test::modulePython(), {"-m", "pip", "install", "--quiet", "--no-index",
                                                           "--no-deps", "--target", place, wheel});
  if (pip.err.contains("No module named pip")) return;
  QVERIFY2(pip.code == 0, pip.err.constData());
  QVERIFY(imported(place).contains(place.toUtf8()));
}

QTEST_GUILESS_MAIN(PythonProgramsTest)
#include "tst_python_programs.moc"
