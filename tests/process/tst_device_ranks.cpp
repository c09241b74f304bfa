// SPDX-License-Identifier: Apache-2.0
// ctest: engine two_cores
// Ranks on cards (docs/parallel.md) on the stand-in, a device for each: they give the bits of one process on
// one of them, a rank that is lost ends the attempt, and what cannot be is refused. The plug-in itself, as
// far as a machine without a card goes.
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>
#include <memory>

#include "core/base/json/json.h"
#include "core/record/runs/run_folder.h"
#include "tests/process/support_device_run.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using namespace fathom::test;

namespace {

constexpr int kRefused = 30, kRankLost = 76;

const QString kExecutorKernels = DeviceRuns::deviceFolder() + "/libfathom-kernels-executor.so";
const QString kPlugin = QStringLiteral(FATHOM_BIN_DIR "/libfathom-nccl.so");

QByteArray fileOf(const QString& run, const QString& name) {
  QFile file(run + "/checkpoints/" + name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray stateOf(const QString& run, const QString& checkpoint) {
  return fileOf(run, checkpoint + "/model.safetensors") + fileOf(run, checkpoint + "/optimizer.safetensors");
}

// The number of a job of Slurm whose step meets at a port that nobody has now.
int freeJob() {
  constexpr int kFirst = 20000;
  for (int port = kFirst; port < 2 * kFirst; ++port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool free = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    if (free) return port - kFirst;
  }
  return -1;
}

}  // namespace

class DeviceRanks : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { QVERIFY2(DeviceRuns::missing().isEmpty(), qPrintable(DeviceRuns::missing())); }
  void bitsAreThoseOfOneProcess_data();
  void bitsAreThoseOfOneProcess();
  void aKilledRankEndsTheAttempt();
  void aSumThatFailsEndsTheAttempt();
  void whatCannotBeIsRefused_data();
  void whatCannotBeIsRefused();
  void twoRanksWithOneCardAreRefused();
  void itIsDescribed();
  void withoutACardThePluginSaysSo();

 private:
  QStringList words(const QString& task, const QString& run, const QStringList& more) {
    return m_runs.trainingWords(task, run,
                                QStringList{"device=cuda:0", "training.length=6u", "checkpoint.interval=6u",
                                            "validation.interval=6u"} +
                                    more);
  }
  std::unique_ptr<QProcess> start(const QStringList& words, const QStringList& environment) const;
  DeviceRuns m_runs;
};

std::unique_ptr<QProcess> DeviceRanks::start(const QStringList& words, const QStringList& environment) const {
  QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
  surroundings.insert("LD_LIBRARY_PATH", DeviceRuns::deviceFolder());
  for (const QString& pair : environment) surroundings.insert(pair.section('=', 0, 0), pair.section('=', 1));
  auto process = std::make_unique<QProcess>();
  process->setProcessEnvironment(surroundings);
  process->setProcessChannelMode(QProcess::MergedChannels);
  process->start(DeviceRuns::engineProgram(), words);
  return process;
}

void DeviceRanks::bitsAreThoseOfOneProcess_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<int>("ranks");
  QTest::addColumn<QStringList>("assignments");
  const auto row = [](const char* name, const char* task, int ranks, const QStringList& assignments) {
    QTest::newRow(name) << QString::fromLatin1(task) << ranks << assignments;
  };
  row("translation, float64", "nmt", 2, {"precision=float64", "parallel.check=2"});
  row("sentences, float16, dropout", "glue", 2, {"precision=float16", "model.dropout=0.1"});
  row("masked words, in order", "mlm", 4, {"parallel.sum=ordered", "batch.sequences=4"});
}

void DeviceRanks::bitsAreThoseOfOneProcess() {
  QFETCH(QString, task);
  QFETCH(int, ranks);
  QFETCH(QStringList, assignments);
  assignments << QString("training.accumulation=%1").arg(ranks);
  QVector<LoggedNumbers> numbers;
  QVector<QByteArray> states;
  for (const int count : {1, ranks}) {
    const QString run = m_runs.file(QString("%1_%2").arg(task).arg(count));
    const DeviceOutcome trained =
        m_runs.engine(words(task, run, assignments + QStringList{QString("parallel.ranks=%1").arg(count)}),
                      {QString("FATHOM_DEVICE_COUNT=%1").arg(ranks)});
    QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(2000)));
    if (count > 1) QVERIFY2(trained.err.contains("NCCL on cuda:0"), qPrintable(trained.err));
    numbers << loggedNumbers(run);
    states << stateOf(run, QDir(run + "/checkpoints").entryList({"0001-*"}, QDir::Dirs).value(0));
  }
  QVERIFY(numbers[0].size() > 10);
  QCOMPARE(numbers[1], numbers[0]);
  QVERIFY(states[0].size() > 1000 && states[1] == states[0]);
}

// The sums of the others would never come.
void DeviceRanks::aKilledRankEndsTheAttempt() {
  const QString run = m_runs.file("killed");
  const auto engine =
      start(words("glue", run,
                  {"parallel.ranks=2", "training.accumulation=2", "training.length=100000u",
                   "checkpoint.interval=2u", "validation.interval=never", "validation.score_interval=never"}),
            {"FATHOM_DEVICE_COUNT=2"});
  QVERIFY(waitFor([&] { return QDir(run + "/checkpoints").exists("0001-00000002"); }, 60));
  QFile children(QStringLiteral("/proc/%1/task/%1/children").arg(engine->processId()));
  QVERIFY(children.open(QIODevice::ReadOnly));
  const pid_t rank = children.readAll().simplified().split(' ').value(0).toInt();
  QVERIFY(rank > 0 && ::kill(rank, SIGKILL) == 0);
  QVERIFY(engine->waitForFinished(30'000));
  const QString said = QString::fromUtf8(engine->readAll());
  QVERIFY2(engine->exitStatus() == QProcess::NormalExit && engine->exitCode() == kRankLost, qPrintable(said));
  QVERIFY2(said.contains("rank 1") && said.contains("signal 9"), qPrintable(said));
}

void DeviceRanks::aSumThatFailsEndsTheAttempt() {
  const QString run = m_runs.file("fails");
  const DeviceOutcome trained =
      m_runs.engine(words("glue", run, {"parallel.ranks=2", "training.accumulation=2"}),
                    {"FATHOM_DEVICE_COUNT=2", "FATHOM_DEVICE_NCCL=3"});
  QVERIFY2(trained.exitCode == kRankLost && !trained.crashed, qPrintable(trained.err.right(2000)));
  QVERIFY2(trained.err.contains("a planted fault of NCCL"), qPrintable(trained.err.right(2000)));
  const auto outcome = RunFolder(run.toStdString()).outcome(1);
  QVERIFY(outcome && outcome->cause == "rank_lost");
}

void DeviceRanks::whatCannotBeIsRefused_data() {
  QTest::addColumn<QStringList>("assignments");
  QTest::addColumn<QStringList>("environment");
  QTest::addColumn<QString>("said");
  const auto row = [](const char* name, const QStringList& assignments, const QStringList& environment,
                      const char* said) {
    QTest::newRow(name) << assignments << environment << QString(said);
  };
  row("fewer cards than ranks", {"parallel.ranks=4"}, {},
      "4 ranks of this machine need a CUDA device each, from cuda:0 on; there are 2 (take parallel.ranks=2");
  row("from the second card on", {"device=cuda:1"}, {}, "from cuda:1 on; there are 1");
  row("a card that is not there", {"device=cuda:2"}, {}, "from cuda:2 on; there are 0");
  row("switched off", {}, {"FATHOM_NCCL=off"}, "by NCCL, which cannot be used: switched off by FATHOM_NCCL");
  row("no plug-in", {"device=auto"}, {"FATHOM_NCCL=/nowhere/nccl.so"}, "do not load");
  row("another plug-in", {}, {"FATHOM_NCCL=" + kExecutorKernels}, "has no fathomNcclTable");
}

// Before any other rank is started.
void DeviceRanks::whatCannotBeIsRefused() {
  QFETCH(QStringList, assignments);
  QFETCH(QStringList, environment);
  QFETCH(QString, said);
  const DeviceOutcome trained = m_runs.engine(
      words("glue", m_runs.file("refused_" + QString(QTest::currentDataTag()).replace(' ', '_')),
            QStringList{"parallel.ranks=2", "training.accumulation=4"} + assignments),
      environment + QStringList{"FATHOM_DEVICE_COUNT=2"});
  QVERIFY2(trained.exitCode == kRefused && !trained.crashed, qPrintable(trained.err.right(1000)));
  QVERIFY2(trained.err.contains(said) && trained.err.contains("device=cpu"),
           qPrintable(trained.err.right(1000)));
}

// Slurm shows each task one card: its own, or the same to both.
void DeviceRanks::twoRanksWithOneCardAreRefused() {
  const int job = freeJob();
  QVERIFY(job >= 0);
  const QStringList line = words("glue", m_runs.file("same_card"), {"training.accumulation=2"});
  std::vector<std::unique_ptr<QProcess>> ranks;
  for (int rank = 0; rank < 2; ++rank)
    ranks.push_back(start(
        line, {"FATHOM_DEVICE_COUNT=1", "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=2", "SLURM_STEP_NUM_NODES=1",
               "SLURM_STEP_NODELIST=localhost", QString("SLURM_PROCID=%1").arg(rank),
               QString("SLURM_LOCALID=%1").arg(rank), QString("SLURM_JOB_ID=%1").arg(job)}));
  for (const auto& rank : ranks) {
    QVERIFY(rank->waitForFinished(60'000));
    const QString said = QString::fromUtf8(rank->readAll());
    QVERIFY2(rank->exitCode() == kRefused, qPrintable(said));
    QVERIFY2(said.contains("rank 0") && said.contains("have the same card") && said.contains("0000:01:00.0"),
             qPrintable(said));
  }
}

void DeviceRanks::itIsDescribed() {
  for (const bool off : {false, true}) {
    const DeviceOutcome described =
        m_runs.command({"describe"}, off ? QStringList{"FATHOM_NCCL=off"} : QStringList());
    QCOMPARE(described.exitCode, 0);
    const Json nccl = Json::parse(described.out.toStdString()).at("nccl");
    QCOMPARE(nccl.at("available").get<bool>(), !off);
    QCOMPARE(nccl.at("reason").get<std::string>(), std::string(off ? "switched off by FATHOM_NCCL" : ""));
    QCOMPARE(nccl.at("made_by").get<std::string>(), std::string(off ? "" : "stand-in device"));
  }
}

// With LibTorch's real CUDA part, whose libraries are not on every machine.
void DeviceRanks::withoutACardThePluginSaysSo() {
  if (!QFile::exists(kPlugin)) QSKIP("libfathom-nccl.so is not built here");
  QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
  surroundings.insert("FATHOM_NCCL", kPlugin);
  QProcess process;
  process.setProcessEnvironment(surroundings);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(DeviceRuns::deviceFolder() + "/device_checks", {"ranks"});
  QVERIFY(process.waitForFinished(240'000));
  const QString said = QString::fromUtf8(process.readAll());
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  if (process.exitCode() == 2) QSKIP(qPrintable(said.trimmed()));
  QVERIFY2(process.exitCode() == 0, qPrintable(said));
  QVERIFY2(said.contains("only supported with GPUs") || said.contains("NCCL, one rank"), qPrintable(said));
}

QTEST_GUILESS_MAIN(DeviceRanks)
#include "tst_device_ranks.moc"
