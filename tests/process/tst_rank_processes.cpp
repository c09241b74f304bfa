// SPDX-License-Identifier: Apache-2.0
// ctest: engine two_cores
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/files/process_identity.h"
#include "core/base/json/json_text.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"
#include "tests/unit/support_waiting.h"

// Ranks as users have them: processes of fathom-engine. They give the bits of one process, one that is killed
// or hangs ends the attempt, the run goes on from its checkpoint with the bits of the uncut one.
namespace fathom::test {

namespace {

const QString kProgram = QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");

// Updates with losses and norms as they were written, the last word on each step.
std::map<std::int64_t, std::string> stepsOf(const std::string& run) {
  std::map<std::int64_t, std::string> steps;
  const RunFolder folder(run);
  for (const int attempt : folder.attempts()) {
    EventReader reader(folder.eventsPath(attempt));
    const auto events = reader.poll();
    if (!events) continue;
    for (const Event& event : *events) {
      if (event.kind != "step") continue;
      const Json& values = event.members.at("m");
      steps[event.step] = values.at("loss").dump() + " " + values.at("grad_norm").dump();
    }
  }
  return steps;
}

// Validations as they were written, each with its update.
std::vector<std::string> validationsOf(const std::string& run) {
  std::vector<std::string> found;
  const RunFolder folder(run);
  for (const int attempt : folder.attempts()) {
    EventReader reader(folder.eventsPath(attempt));
    const auto events = reader.poll();
    if (!events) continue;
    for (const Event& event : *events)
      if (event.kind == "validation")
        found.push_back(std::to_string(event.step) + " " + event.members.at("m").dump());
  }
  return found;
}

std::string weightsOf(const std::string& run) {
  const auto checkpoints = listCheckpoints(run);
  return checkpoints.empty() ? std::string()
                             : readFile(checkpoints.back().path + "/model.safetensors").value() +
                                   readFile(checkpoints.back().path + "/optimizer.safetensors").value();
}

// "" where two runs logged the same, else where they part.
QString differences(const std::string& one, const std::string& other) {
  const auto a = stepsOf(one), b = stepsOf(other);
  for (const auto& [step, values] : a) {
    const auto found = b.find(step);
    if (found == b.end() || found->second != values)
      return QString::number(step) + ": " + QString::fromStdString(values) + " and " +
             QString::fromStdString(found == b.end() ? "nothing" : found->second);
  }
  return a.size() == b.size() && !a.empty() ? QString() : QStringLiteral("other steps");
}

// The first process that another has started, or 0.
qint64 childOf(qint64 process) {
  const QString name = QStringLiteral("/proc/%1/task/%1/children").arg(process);
  QFile file(name);
  if (!file.open(QIODevice::ReadOnly)) return 0;
  return file.readAll().simplified().split(' ').value(0).toLongLong();
}

// A port of this machine that is taken while this lives.
class TakenPort {
 public:
  TakenPort() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    socklen_t length = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(m_socket, any, length) == 0 && ::listen(m_socket, 1) == 0 &&
        ::getsockname(m_socket, any, &length) == 0)
      m_number = ntohs(address.sin_port);
  }
  ~TakenPort() { ::close(m_socket); }
  TakenPort(const TakenPort&) = delete;
  TakenPort& operator=(const TakenPort&) = delete;
  QString number() const { return QString::number(m_number); }

 private:
  int m_socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int m_number = 0;
};

bool lives(qint64 process) {
  return processLives(processWithId(process));
}

}  // namespace

class RankProcessesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void processesAreOneRun();
  void aKilledRankEndsTheAttempt();
  void aHangingRankEndsTheAttempt();
  void ranksEndWithTheFirst();
  void aStarterOfItsOwn();
  void aWishCutsAValidation();
  void badPlacesAreRefused();

 private:
  std::unique_ptr<QProcess> start(const QStringList& words, const QStringList& environment = {}) const;
  // Code of a run to its end; -1 where it does not come.
  int end(QProcess& process, QString* said = nullptr) const;
  QStringList train(const QString& name, const QStringList& more) const;
  bool waitForStep(const QString& name, std::int64_t step) const;
  std::string path(const QString& name) const { return m_folder.filePath(name).toStdString(); }
  QTemporaryDir m_folder;
};

void RankProcessesTest::initTestCase() {
  std::string pairs;
  for (int i = 0; i < 300; ++i)
    pairs += "ein haus " + std::to_string(i) + " rot\trot " + std::to_string(i * 7 % 300) + " haus ein\n";
  QVERIFY(writeFileAtomically(path("pairs.tsv"), pairs).ok());
  const Json config = {{"format", 1},
                       {"name", "ranks"},
                       {"options",
                        {{"data.train", path("pairs.tsv")},
                         {"data.vocabulary.kind", "words"},
                         {"data.validation_size", 20},
                         {"data.test_size", 0},
                         {"batch.max_tokens", 128},
                         {"model.width", 16},
                         {"model.heads", 2},
                         {"model.feed_forward", 32},
                         {"encoder.layers", 1},
                         {"decoder.layers", 1},
                         {"precision", "float64"},
                         {"training.accumulation", 2},
                         {"training.length", "40u"},
                         {"validation.interval", "20u"},
                         {"validation.score_interval", "never"},
                         {"checkpoint.interval", "10u"},
                         {"divergence.not_learning_after", 0},
                         {"lr_schedule.warmup", 20},
                         {"parallel.check", 10},
                         {"device", "cpu"},
                         {"threads", 1}}}};
  QVERIFY(writeFileAtomically(path("config.json"), jsonText(config, 1)).ok());
  QString said;
  auto alone = start(train("alone", {}));
  QVERIFY2(end(*alone, &said) == 0, qPrintable(said));
  auto two = start(train("two", {"parallel.ranks=2"}));
  const int code = end(*two, &said);
  QVERIFY2(code == 0, qPrintable(said));
}

QStringList RankProcessesTest::train(const QString& name, const QStringList& more) const {
  QStringList words = {"train", "--config", m_folder.filePath("config.json"), "--run",
                       m_folder.filePath(name)};
  for (const QString& one : more) words << "--set" << one;
  return words;
}

std::unique_ptr<QProcess> RankProcessesTest::start(const QStringList& words,
                                                   const QStringList& environment) const {
  auto process = std::make_unique<QProcess>();
  process->setProcessChannelMode(QProcess::MergedChannels);
  process->setEnvironment(QProcess::systemEnvironment() + environment);
  process->start(kProgram, words);
  return process;
}

int RankProcessesTest::end(QProcess& process, QString* said) const {
  const bool ended = process.waitForFinished(60'000);
  const QString words = QString::fromUtf8(process.readAll());
  if (said != nullptr) *said = words;
  if (!ended || process.exitStatus() != QProcess::NormalExit) return -1;
  return process.exitCode();
}

bool RankProcessesTest::waitForStep(const QString& name, std::int64_t step) const {
  return waitFor([&] { return stepsOf(path(name)).contains(step); }, 60);
}

void RankProcessesTest::processesAreOneRun() {
  QString said;
  QCOMPARE(stepsOf(path("two")).size(), std::size_t{40});
  QCOMPARE(differences(path("two"), path("alone")), QString());
  QVERIFY(!weightsOf(path("two")).empty() && weightsOf(path("two")) == weightsOf(path("alone")));
  QVERIFY(validationsOf(path("two")).size() == 2 &&
          validationsOf(path("two")) == validationsOf(path("alone")));
  const QString log = m_folder.filePath("two/attempts/0001/stderr.1.log");
  QVERIFY(QFile::exists(log) && QFile(log).size() == 0);
  auto four = start(train(
      "four", {"parallel.ranks=4", "parallel.sum=ordered", "training.accumulation=4", "training.length=8u"}));
  QVERIFY2(end(*four, &said) == 0, qPrintable(said));
  auto one = start(train("one", {"training.accumulation=4", "training.length=8u"}));
  QCOMPARE(end(*one), 0);
  QVERIFY(weightsOf(path("four")) == weightsOf(path("one")));
  QVERIFY(!validationsOf(path("four")).empty() && validationsOf(path("four")) == validationsOf(path("one")));
}

void RankProcessesTest::aKilledRankEndsTheAttempt() {
  auto run = start(train("killed", {"parallel.ranks=2"}));
  QVERIFY(waitForStep("killed", 15));
  const qint64 rank = childOf(run->processId());
  QVERIFY(rank > 0 && ::kill(static_cast<pid_t>(rank), SIGKILL) == 0);
  QElapsedTimer clock;
  clock.start();
  QString said;
  QCOMPARE(end(*run, &said), 76);
  QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed())));
  QVERIFY2(said.contains("rank 1") && said.contains("signal 9"), qPrintable(said));
  const auto outcome = RunFolder(path("killed")).outcome(1);
  QVERIFY(outcome && outcome->cause == "rank_lost" && outcome->state == RunState::Failed);
  auto resumed = start({"resume", "--run", m_folder.filePath("killed")});
  QVERIFY2(end(*resumed, &said) == 0, qPrintable(said));
  QCOMPARE(differences(path("killed"), path("alone")), QString());
  QVERIFY(weightsOf(path("killed")) == weightsOf(path("alone")));
}

void RankProcessesTest::aHangingRankEndsTheAttempt() {
  auto run = start(train("hangs", {"parallel.ranks=2", "parallel.timeout=2", "training.length=100000u"}));
  QVERIFY(waitForStep("hangs", 5));
  const qint64 rank = childOf(run->processId());
  QVERIFY(rank > 0 && ::kill(static_cast<pid_t>(rank), SIGSTOP) == 0);
  QElapsedTimer clock;
  clock.start();
  QString said;
  QCOMPARE(end(*run, &said), 76);
  QVERIFY2(said.contains("rank 1"), qPrintable(said));
  QVERIFY2(clock.elapsed() < 15'000, qPrintable(QString::number(clock.elapsed())));
  QVERIFY(!lives(rank));
}

void RankProcessesTest::ranksEndWithTheFirst() {
  auto run = start(train("first", {"parallel.ranks=2", "training.length=100000u"}));
  QVERIFY(waitForStep("first", 3));
  const qint64 rank = childOf(run->processId());
  QVERIFY(rank > 0 && lives(rank));
  run->kill();
  QCOMPARE(end(*run), -1);
  QVERIFY(waitFor([&] { return !lives(rank); }, 5));
}

// As torchrun starts them: a signal to one of them is heeded by all at the same update, and "stopped" is no
// failure there.
void RankProcessesTest::aStarterOfItsOwn() {
  const QString port = std::make_unique<TakenPort>()->number();
  std::vector<std::unique_ptr<QProcess>> ranks;
  for (int rank = 0; rank < 2; ++rank)
    ranks.push_back(start(train("started", {"training.length=100000u"}),
                          {"RANK=" + QString::number(rank), "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1",
                           "MASTER_PORT=" + port, "TORCHELASTIC_RUN_ID=none"}));
  QVERIFY(waitForStep("started", 3));
  QVERIFY(::kill(static_cast<pid_t>(ranks[1]->processId()), SIGTERM) == 0);
  for (const auto& rank : ranks) {
    QString said;
    QVERIFY2(end(*rank, &said) == 0, qPrintable(said));
  }
  const auto outcome = RunFolder(path("started")).outcome(1);
  QVERIFY(outcome && outcome->state == RunState::Stopped && outcome->exitCode == 10);
  const auto checkpoints = listCheckpoints(path("started"));
  QVERIFY(!checkpoints.empty() && checkpoints.back().step == outcome->step);
}

// Said to a rank that is not the first, while the first decodes for long: the validation is left to the next
// attempt.
void RankProcessesTest::aWishCutsAValidation() {
  auto run = start(train("cut", {"parallel.ranks=2", "training.length=100000u", "validation.interval=1u",
                                 "validation.score_interval=1u", "data.validation_size=250",
                                 "validation.beam=8", "validation.max_length_b=2000"}));
  QVERIFY(waitForStep("cut", 1));
  const qint64 rank = childOf(run->processId());
  QVERIFY(rank > 0 && ::kill(static_cast<pid_t>(rank), SIGTERM) == 0);
  QString said;
  QVERIFY2(end(*run, &said) == 10, qPrintable(said));
  const auto outcome = RunFolder(path("cut")).outcome(1);
  QVERIFY(outcome && outcome->state == RunState::Stopped && outcome->step == 1);
  QVERIFY(validationsOf(path("cut")).empty());
  QVERIFY(waitFor([&] { return !lives(rank); }, 5));
}

void RankProcessesTest::badPlacesAreRefused() {
  QString said;
  auto uneven = start(train("uneven", {"parallel.ranks=4"}));
  QCOMPARE(end(*uneven, &said), 30);
  QVERIFY2(said.contains("training.accumulation"), qPrintable(said));
  auto interface = start(train("interface", {"parallel.ranks=2", "parallel.interface=nosuch0"}));
  QCOMPARE(end(*interface, &said), 30);
  QVERIFY2(said.contains("nosuch0") && said.contains("lo"), qPrintable(said));
  auto half = start(train("half", {}), {"RANK=1"});
  QCOMPARE(end(*half, &said), 30);
  QVERIFY2(said.contains("RANK without WORLD_SIZE"), qPrintable(said));
  const TakenPort taken;
  auto port = start(train("port", {}),
                    {"RANK=0", "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1", "MASTER_PORT=" + taken.number()});
  QCOMPARE(end(*port, &said), 30);
  QVERIFY2(said.contains(taken.number()), qPrintable(said));
}

}  // namespace fathom::test

using fathom::test::RankProcessesTest;
QTEST_GUILESS_MAIN(RankProcessesTest)
#include "tst_rank_processes.moc"
