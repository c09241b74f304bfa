// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks
// One command that begins a run and goes on with it, as batch systems give it again and again.
#include <signal.h>

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>

#include "core/base/files/atomic_file.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/run_folder.h"
#include "core/tasks/made_sentences.h"
#include "tests/process/support_engine_forks.h"
#include "tests/process/support_word_pairs.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

class TrainOrResumeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void stoppedAndGoneOnWith();
  void killedBetween();
  void othersAreRefused();
  void livesWithoutAnUpdateEnd();
  void recordedOptionsHoldWhereNoneAreGiven();

 private:
  enum class Signal { None, AtTheFirstUpdate, BeforeTheFirst };
  int train(const QString& run, const QStringList& more = {}, Signal signal = Signal::None);
  QStringList command(const QString& run) const;
  // Of the checkpoint of that update, the run's last; "" where it is not there.
  std::string weights(const QString& run, std::int64_t step = 900) const;
  RunFolder folder(const QString& run) const { return RunFolder(path(run).toStdString()); }
  QString path(const QString& name) const { return m_dir.filePath(name); }
  QTemporaryDir m_dir;
  QByteArray m_words;  // of the last command, on stderr
  test::EngineForks m_forks;
};

void TrainOrResumeTest::initTestCase() {
  QVERIFY(writeMadeSentences(path(QStringLiteral("data")).toStdString(), 1, {200, 30, 30}).ok());
  const Json config = test::tinyTranslation(
      path(QStringLiteral("data")),
      {{"training.length", "900u"}, {"checkpoint.interval", "240u"}, {"divergence.not_learning_after", 0}});
  std::ofstream(path(QStringLiteral("config.json")).toStdString()) << config.dump(1);
  QCOMPARE(train(QStringLiteral("uncut")), 0);
}

QStringList TrainOrResumeTest::command(const QString& run) const {
  return {QStringLiteral("train"),    QStringLiteral("--or-resume"),
          QStringLiteral("--config"), path(QStringLiteral("config.json")),
          QStringLiteral("--run"),    path(run)};
}

int TrainOrResumeTest::train(const QString& run, const QStringList& more, Signal signal) {
  QProcess engine;
  // A signal that waits before the program begins is heard when the attempt opens.
  if (signal == Signal::BeforeTheFirst)
    engine.setChildProcessModifier([] {
      sigset_t held;
      sigemptyset(&held);
      sigaddset(&held, SIGTERM);
      ::sigprocmask(SIG_BLOCK, &held, nullptr);
      ::raise(SIGTERM);
    });
  const RunFolder before = folder(run);
  const int attempt = before.lastAttempt() + 1;
  engine.start(QStringLiteral(FATHOM_BIN_DIR "/fathom-engine"), command(run) + more);
  if (!engine.waitForStarted()) return -1;
  bool begun = true;
  if (signal == Signal::AtTheFirstUpdate) {
    EventReader reader(before.eventsPath(attempt));
    begun = waitFor([&] {
      const auto events = reader.poll();
      return events.ok() && std::any_of(events->begin(), events->end(),
                                        [](const Event& event) { return event.kind == "step"; });
    });
    engine.terminate();
  }
  engine.waitForFinished(60000);
  m_words = engine.readAllStandardError();
  return begun && engine.exitStatus() == QProcess::NormalExit ? engine.exitCode() : -1;
}

std::string TrainOrResumeTest::weights(const QString& run, std::int64_t step) const {
  const auto last = newestGoodCheckpoint(path(run).toStdString());
  return last && last->step == step ? readFile(last->path + "/model.safetensors").value() : std::string();
}

void TrainOrResumeTest::stoppedAndGoneOnWith() {
  const QString run = QStringLiteral("stopped");
  QCOMPARE(train(run, {}, Signal::AtTheFirstUpdate), 10);
  QCOMPARE(folder(run).outcome(1)->askedBy, std::string("SIGTERM"));
  QCOMPARE(train(run), 0);
  QCOMPARE(folder(run).lastAttempt(), 2);
  QCOMPARE(folder(run).outcome(2)->step, std::int64_t{900});
  QVERIFY(!weights(run).empty());
  QVERIFY(weights(run) == weights(QStringLiteral("uncut")));
  // Given once more it changes nothing.
  QCOMPARE(train(run), 0);
  QVERIFY2(m_words.contains("has finished"), m_words.constData());
  QCOMPARE(folder(run).lastAttempt(), 2);
}

// Killed at one step of files after the other while the run is made, then let go on.
void TrainOrResumeTest::killedBetween() {
  const auto attempt = [this](const QString& run, const QStringList& environment) {
    const test::Ended ended = m_forks.run(
        command(run) + QStringList{QStringLiteral("--set"), QStringLiteral("training.length=90u"),
                                   QStringLiteral("--set"), QStringLiteral("checkpoint.interval=24u")},
        environment);
    m_words = ended.err;
    return ended.signal != 0 ? -ended.signal : ended.code;
  };
  QCOMPARE(attempt(QStringLiteral("short"), {}), 0);
  const std::string whole = weights(QStringLiteral("short"), 90);
  QVERIFY(!whole.empty());
  for (const char* at : {"open:0", "rename:0", "rename:1", "rename:2", "rename:4", "write:30"}) {
    const QString run = QStringLiteral("killed_%1").arg(QLatin1String(at).left(9)).replace(':', '_');
    QCOMPARE(attempt(run, {QStringLiteral("FATHOM_FAULT=%1:kill").arg(QLatin1String(at))}), -SIGKILL);
    QVERIFY2(weights(run, 90).empty(), at);
    QVERIFY2(attempt(run, {}) == 0, m_words.constData());
    QVERIFY2(weights(run, 90) == whole, at);
  }
}

void TrainOrResumeTest::othersAreRefused() {
  const QString run = QStringLiteral("uncut");
  QCOMPARE(train(run, {QStringLiteral("--uuid"), QStringLiteral("somebody-else")}), 30);
  QVERIFY2(m_words.contains("somebody-else"), m_words.constData());
  QCOMPARE(train(run, {QStringLiteral("--set"), QStringLiteral("model.width=32")}), 30);
  QVERIFY2(m_words.contains("model.width"), m_words.constData());
  QCOMPARE(folder(run).lastAttempt(), 1);
}

void TrainOrResumeTest::livesWithoutAnUpdateEnd() {
  const QString run = QStringLiteral("idle");
  QCOMPARE(train(run, {}, Signal::BeforeTheFirst), 10);
  QCOMPARE(folder(run).outcome(1)->state, RunState::Stopped);
  QCOMPARE(train(run, {}, Signal::BeforeTheFirst), 30);
  const auto outcome = folder(run).outcome(2);
  QVERIFY(outcome && outcome->state == RunState::Failed);
  QCOMPARE(outcome->cause, std::string("time_limit"));
  QVERIFY2(m_words.contains("time limit is too short"), m_words.constData());
  // An update between two lives is progress: after it, one idle life is none too many.
  const QString slow = QStringLiteral("slow");
  QCOMPARE(train(slow, {}, Signal::AtTheFirstUpdate), 10);
  QCOMPARE(train(slow, {}, Signal::BeforeTheFirst), 10);
  QCOMPARE(train(slow, {}, Signal::BeforeTheFirst), 30);
  QCOMPARE(folder(slow).lastAttempt(), 3);
}

// A run that failed before its first update may be begun anew with others, but not silently with defaults.
void TrainOrResumeTest::recordedOptionsHoldWhereNoneAreGiven() {
  const QString run = QStringLiteral("unlearned");
  QCOMPARE(train(run, {}, Signal::BeforeTheFirst), 10);
  QCOMPARE(train(run, {}, Signal::BeforeTheFirst), 30);
  QCOMPARE(folder(run).outcome(2)->state, RunState::Failed);
  const int code = QProcess::execute(
      QStringLiteral(FATHOM_BIN_DIR "/fathom-engine"),
      {QStringLiteral("train"), QStringLiteral("--or-resume"), QStringLiteral("--run"), path(run)});
  QCOMPARE(code, 0);
  QVERIFY(weights(run) == weights(QStringLiteral("uncut")));
  QCOMPARE(folder(run).lastAttempt(), 3);
}

QTEST_GUILESS_MAIN(TrainOrResumeTest)
#include "tst_train_or_resume.moc"
