// SPDX-License-Identifier: Apache-2.0
// Real programs of the field (foreign_writer.py) while they train: with `import fathom as wandb`,
// FathomCallback and FathomLogger, or followed by `fathom import-run --follow`. Every number comes, and
// within the time that a curve may lag behind its training. Each is skipped where its packages are absent
// (packaging/bench-peers.sh). ctest: two_cores
#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/record/events/event_reader.h"
#include "core/record/events/scalar_reader.h"
#include "core/record/runs/run_folder.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

const QString kForeignRoot = QStringLiteral(FATHOM_SOURCE_DIR);
constexpr int kForeignSteps = 12;
constexpr int kPatienceMs = 120'000;

// Loggers and what trains with torch are packages of different ages: each has folders of its own.
QProcessEnvironment peerEnvironment(bool trains) {
  QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
  for (const QString& name : values.keys())
    if (name.startsWith(QLatin1String("FATHOM_")) || name.startsWith(QLatin1String("WANDB_")))
      values.remove(name);
  const QString libtorch = qEnvironmentVariable("FATHOM_LIBTORCH");
  const QString torch = libtorch.isEmpty() ? kForeignRoot + QStringLiteral("/build/deps/libtorch")
                                           : QDir(libtorch + QStringLiteral("/..")).absolutePath();
  const QString peers = kForeignRoot + QStringLiteral("/build/bench-peers/");
  QStringList path = {kForeignRoot + QStringLiteral("/packaging/python")};
  if (trains)
    path << peers + QStringLiteral("python") << peers + QStringLiteral("trainers") << torch;
  else
    path << peers + QStringLiteral("loggers");
  values.insert(QStringLiteral("PYTHONPATH"), path.join(QLatin1Char(':')));
  values.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
  return values;
}

QString peerPython() {
  const QString named = qEnvironmentVariable("FATHOM_PEERS_PYTHON");
  return named.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("python3")) : named;
}

double now() {
  return static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000;
}

// Steps of `loss` in all runs of a project, with their values.
std::map<int, double> lossesOf(const std::string& project) {
  std::map<int, double> found;
  std::error_code absent;
  for (const auto& run : fs::directory_iterator(project + "/runs", absent)) {
    const auto all = readRunScalars(run.path().string());
    if (!all.ok()) continue;
    for (const ScalarSeries& series : *all)
      for (std::size_t i = 0; series.metric == "loss" && i < series.step.size(); ++i)
        found[static_cast<int>(series.step[i])] = series.value[i];
  }
  return found;
}

}  // namespace

class ForeignProgramsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void numbersComeInTime_data();
  void numbersComeInTime();
  void trainersTellEverything_data();
  void trainersTellEverything();
  void trainersAreStopped_data() { trainersTellEverything_data(); }
  void trainersAreStopped();

 private:
  static bool canRun(const QString& writer);
  static bool trains(const QString& writer) {
    return writer == QLatin1String("pytorch") || writer == QLatin1String("trainer") ||
           writer == QLatin1String("lightning");
  }
  static void start(QProcess& training, const QString& writer, const QString& folder, int steps) {
    training.setProcessEnvironment(peerEnvironment(trains(writer)));
    training.start(peerPython(), {kForeignRoot + QStringLiteral("/tests/process/foreign_writer.py"), writer,
                                  folder, QString::number(steps)});
  }
};

bool ForeignProgramsTest::canRun(const QString& writer) {
  static std::map<QString, bool> known;  // to import torch takes seconds
  if (peerPython().isEmpty()) return false;
  if (const auto found = known.find(writer); found != known.end()) return found->second;
  QProcess asked;
  asked.setProcessEnvironment(peerEnvironment(trains(writer)));
  asked.start(peerPython(), {kForeignRoot + QStringLiteral("/tests/process/foreign_writer.py"),
                             QStringLiteral("--needs"), writer});
  return known[writer] = asked.waitForFinished(kPatienceMs) && asked.exitCode() == 0;
}

// `lag`: what may lie between a call of the script and its number in the run's folder; W&B itself writes its
// file every 15 seconds. Trainer and Lightning say no times: only their numbers count.
void ForeignProgramsTest::numbersComeInTime_data() {
  QTest::addColumn<bool>("followed");
  QTest::addColumn<double>("lag");
  QTest::newRow("fathom") << false << 1.0;
  QTest::newRow("pytorch") << false << 1.0;
  QTest::newRow("summary_writer") << true << 1.0;
  QTest::newRow("trackio") << true << 1.5;
  QTest::newRow("wandb") << true << 16.0;
  QTest::newRow("trainer") << false << 0.0;
  QTest::newRow("lightning") << false << 0.0;
}

void ForeignProgramsTest::numbersComeInTime() {
  QFETCH(bool, followed);
  QFETCH(double, lag);
  const QString writer = QString::fromLatin1(QTest::currentDataTag());
  if (!canRun(writer)) QSKIP("its packages are absent: packaging/bench-peers.sh fetches them");
  const ProjectFixture fixture;
  const QString logs = followed ? fixture.file("logs") : QString::fromStdString(fixture.path());
  QVERIFY(QDir().mkpath(logs));
  QProcess training, follower;
  start(training, writer, logs, kForeignSteps);
  std::map<int, double> logged, seen;
  QByteArray said;
  QElapsedTimer patience;
  patience.start();
  while (seen.size() < std::size_t{kForeignSteps} && patience.elapsed() < kPatienceMs) {
    training.waitForReadyRead(20);
    said += training.readAllStandardOutput();
    for (const QByteArray& line : said.left(said.lastIndexOf('\n') + 1).split('\n'))
      if (const auto words = line.split(' '); words.size() == 3 && words[0] == "step")
        logged.emplace(words[1].toInt(), words[2].toDouble());
    follower.waitForFinished(0);  // its state is not seen without an event loop
    if (followed && follower.state() == QProcess::NotRunning && !logged.empty())
      follower.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                     {"import-run", logs, "--follow", "--project", QString::fromStdString(fixture.path())});
    for (const auto& [step, value] : lossesOf(fixture.path())) {
      // TensorBoard's files keep 32 bits of a number.
      const double said32 = static_cast<double>(static_cast<float>(1.0 / step));
      if (lag > 0 && !trains(writer))
        QCOMPARE(value, writer == QLatin1String("summary_writer") ? said32 : 1.0 / step);
      seen.emplace(step, now());
    }
    if (training.state() == QProcess::NotRunning && training.exitCode() != 0) break;
  }
  follower.terminate();
  follower.waitForFinished(kPatienceMs);
  training.waitForFinished(kPatienceMs);
  QVERIFY2(training.exitCode() == 0, training.readAllStandardError().right(2000).constData());
  QVERIFY2(seen.size() == std::size_t{kForeignSteps},
           qPrintable(QStringLiteral("%1 of %2 steps came; %3")
                          .arg(seen.size())
                          .arg(kForeignSteps)
                          .arg(QString::fromUtf8(follower.readAllStandardError()))));
  double worst = 0;
  // The first ones wait for the follower to be started.
  for (const auto& [step, when] : logged)
    if (step > kForeignSteps / 2) worst = std::max(worst, seen.at(step) - when);
  qInfo("%s: a number is there after %.2f s at the latest", qPrintable(writer), worst);
  if (lag > 0) QVERIFY2(worst <= lag, qPrintable(QString::number(worst)));
}

void ForeignProgramsTest::trainersTellEverything_data() {
  QTest::addColumn<QString>("validated");
  QTest::newRow("trainer") << "eval/loss";
  QTest::newRow("lightning") << "val_loss";
}

// Options, validations with a best value, the length, the end.
void ForeignProgramsTest::trainersTellEverything() {
  QFETCH(QString, validated);
  const QString writer = QString::fromLatin1(QTest::currentDataTag());
  if (!canRun(writer)) QSKIP("its packages are absent: packaging/bench-peers.sh fetches them");
  const ProjectFixture fixture;
  QProcess training;
  start(training, writer, QString::fromStdString(fixture.path()), kForeignSteps);
  QVERIFY(training.waitForFinished(kPatienceMs));
  QVERIFY2(training.exitCode() == 0, training.readAllStandardError().right(2000).constData());
  const ShellResult told = fixture.fathom({QStringLiteral("runs"), QStringLiteral("--project"),
                                           QString::fromStdString(fixture.path()), QStringLiteral("--json")});
  const Json runs = told.json()["runs"];
  QCOMPARE(runs.size(), std::size_t{1});
  QCOMPARE(runs[0]["name"].get<std::string>(), writer.toStdString());
  QCOMPARE(runs[0]["state"].get<std::string>(), std::string("finished"));
  const double best = runs[0]["best"][validated.toStdString()].get<double>();
  QVERIFY(best >= 0 && std::isfinite(best));
  const RunFolder folder(runs[0]["path"].get<std::string>());
  QCOMPARE(folder.config(1).value()["options"]["seed"].get<int>(), 3);
}

// Stop of the window or the shell ends them after the step that they are at, with a checkpoint.
void ForeignProgramsTest::trainersAreStopped() {
  const QString writer = QString::fromLatin1(QTest::currentDataTag());
  if (!canRun(writer)) QSKIP("its packages are absent: packaging/bench-peers.sh fetches them");
  const ProjectFixture fixture;
  const QString project = QString::fromStdString(fixture.path());
  QProcess training;
  start(training, writer, project, 1'000'000);
  QElapsedTimer timer;
  timer.start();
  while (lossesOf(fixture.path()).size() < 5 && timer.elapsed() < kPatienceMs)
    if (training.waitForFinished(50)) break;
  QVERIFY2(training.state() == QProcess::Running, training.readAllStandardError().right(2000).constData());
  const ShellResult stopped =
      fixture.fathom({QStringLiteral("stop"), QStringLiteral("--project"), project, writer});
  QVERIFY2(stopped.exitCode == 0, qPrintable(stopped.err));
  timer.restart();
  QVERIFY(training.waitForFinished(kPatienceMs));
  qInfo("%s: ended %.2f s after the stop", qPrintable(writer), static_cast<double>(timer.elapsed()) / 1000);
  QVERIFY2(training.exitCode() == 0, training.readAllStandardError().right(2000).constData());
  const RunFolder folder(fs::directory_iterator(fixture.path() + "/runs")->path().string());
  QVERIFY(folder.state() == RunState::Stopped);
  const auto events = EventReader(folder.eventsPath(1)).poll().value();
  const auto saved = std::find_if(events.begin(), events.end(),
                                  [](const Event& event) { return event.kind == "checkpoint"; });
  QVERIFY(saved != events.end());
  QVERIFY(fs::exists(saved->members["name"].get<std::string>()) && saved->members["bytes"].get<int>() > 0);
}

QTEST_GUILESS_MAIN(ForeignProgramsTest)
#include "tst_foreign_programs.moc"
