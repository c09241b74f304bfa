// SPDX-License-Identifier: Apache-2.0
// ctest: engine two_cores root
// Ranks on two machines, which are two network namespaces with a cable between them
// (tests/fakes/two_hosts.sh); skipped where this is not root. They find each other's addresses, give the bits
// of one process on any cable, and end when it is cut.
#include <signal.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_text.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"
#include "tests/unit/support_waiting.h"

namespace fathom::test {

namespace {

const QString kTwoHosts = QStringLiteral(FATHOM_SOURCE_DIR "/tests/fakes/two_hosts.sh");
constexpr const char* kFirstAddress = "10.98.0.1";

std::string endOfWeights(const std::string& run) {
  const auto checkpoints = listCheckpoints(run);
  return checkpoints.empty() ? std::string()
                             : readFile(checkpoints.back().path + "/model.safetensors").value() +
                                   readFile(checkpoints.back().path + "/optimizer.safetensors").value();
}

std::vector<Event> eventsOf(const std::string& run) {
  EventReader reader(RunFolder(run).eventsPath(1));
  auto events = reader.poll();
  return events.ok() ? std::move(*events) : std::vector<Event>();
}

// Losses and norms as they were written.
std::vector<std::string> loggedSteps(const std::string& run) {
  std::vector<std::string> steps;
  for (const Event& event : eventsOf(run))
    if (event.kind == "step")
      steps.push_back(event.members.at("m").at("loss").dump() + " " +
                      event.members.at("m").at("grad_norm").dump());
  return steps;
}

// Of the two machines; the second one calls itself as it is asked to.
struct RankPair {
  std::unique_ptr<QProcess> first, second;
  QString words[2];
  int codes[2] = {-1, -1};
};

}  // namespace

class TwoHostsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void cleanup() { cable("up"); }
  void cleanupTestCase() { machines({"stop", m_name}); }
  void addressesAreFound();
  void aNameThatLeadsToItselfIsNoMatter();
  void aSlowCableChangesNoBit();
  void aCutCableEndsBoth_data();
  void aCutCableEndsBoth();
  void loopbackIsNamed();
  void loopbackOfTwinsEndsInTime();

 private:
  // Code; what it said.
  std::pair<int, QString> machines(const QStringList& words) const;
  void cable(const char* how) const { machines({"cable", m_name, QString::fromLatin1(how)}); }
  // Two ranks of one run, by `address` of rank 0, with settings.
  RankPair start(const QString& run, const QStringList& settings, const QString& address = kFirstAddress,
                 const QString& secondHost = QStringLiteral("n2"),
                 const QString& firstHosts = QStringLiteral("-"),
                 const QString& secondHosts = QStringLiteral("-")) const;
  // Waits for both, for so many seconds in all.
  bool ended(RankPair& pair, int seconds) const;
  QStringList train(const QString& run, const QStringList& settings) const;
  std::string path(const QString& name) const { return m_folder.filePath(name).toStdString(); }
  QTemporaryDir m_folder;
  const QString m_name = QStringLiteral("fathom-%1").arg(::getpid());
};

std::pair<int, QString> TwoHostsTest::machines(const QStringList& words) const {
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(kTwoHosts, words);
  process.waitForFinished(30'000);
  return {process.exitCode(), QString::fromUtf8(process.readAll()).trimmed()};
}

QStringList TwoHostsTest::train(const QString& run, const QStringList& settings) const {
  QStringList words = {QStringLiteral(FATHOM_BIN_DIR "/fathom-engine"),
                       "train",
                       "--config",
                       m_folder.filePath("config.json"),
                       "--run",
                       m_folder.filePath(run)};
  for (const QString& one : settings) words << "--set" << one;
  return words;
}

RankPair TwoHostsTest::start(const QString& run, const QStringList& settings, const QString& address,
                             const QString& secondHost, const QString& firstHosts,
                             const QString& secondHosts) const {
  RankPair pair;
  for (const int rank : {0, 1}) {
    auto& process = rank == 0 ? pair.first : pair.second;
    process = std::make_unique<QProcess>();
    process->setProcessChannelMode(QProcess::MergedChannels);
    process->setEnvironment(QProcess::systemEnvironment() << "RANK=" + QString::number(rank) << "WORLD_SIZE=2"
                                                          << "MASTER_ADDR=" + address << "MASTER_PORT=29500"
                                                          << "LOCAL_RANK=0"
                                                          << "LOCAL_WORLD_SIZE=1");
    process->start(kTwoHosts, QStringList{"run", m_name, rank == 0 ? "a" : "b", rank == 0 ? "n1" : secondHost,
                                          rank == 0 ? firstHosts : secondHosts} +
                                  train(run, settings));
  }
  return pair;
}

bool TwoHostsTest::ended(RankPair& pair, int seconds) const {
  QElapsedTimer clock;
  clock.start();
  bool both = true;
  for (const int rank : {0, 1}) {
    QProcess& process = rank == 0 ? *pair.first : *pair.second;
    both =
        process.waitForFinished(std::max<int>(1, 1000 * seconds - static_cast<int>(clock.elapsed()))) && both;
    if (process.state() != QProcess::NotRunning) {
      process.kill();
      process.waitForFinished();
    }
    pair.words[rank] = QString::fromUtf8(process.readAll());
    pair.codes[rank] = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
  }
  return both;
}

void TwoHostsTest::initTestCase() {
  const auto [code, words] = machines({"start", m_name});
  if (code == 77) QSKIP(qPrintable("SKIPPED-ALL no two machines: " + words));
  QVERIFY2(code == 0, qPrintable(words));
  std::string pairs;
  for (int i = 0; i < 300; ++i)
    pairs += "ein haus " + std::to_string(i) + " rot\trot " + std::to_string(i * 7 % 300) + " haus ein\n";
  QVERIFY(writeFileAtomically(path("pairs.tsv"), pairs).ok());
  const Json config = {{"format", 1},
                       {"name", "two hosts"},
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
                         {"training.length", "20u"},
                         {"validation.interval", "10u"},
                         {"validation.score_interval", "never"},
                         {"checkpoint.interval", "10u"},
                         {"divergence.not_learning_after", 0},
                         {"lr_schedule.warmup", 10},
                         {"parallel.check", 10},
                         {"parallel.timeout", 30},
                         {"device", "cpu"},
                         {"threads", 1}}}};
  QVERIFY(writeFileAtomically(path("config.json"), jsonText(config, 1)).ok());
  QProcess alone;
  alone.setProcessChannelMode(QProcess::MergedChannels);
  const QStringList line = train("alone", {});
  alone.start(line.front(), line.mid(1));
  QVERIFY(alone.waitForFinished(60'000));
  QVERIFY2(alone.exitCode() == 0, alone.readAll().constData());
  QVERIFY(!endOfWeights(path("alone")).empty());
}

// Without an option: by the addresses that lead from the one to the other.
void TwoHostsTest::addressesAreFound() {
  RankPair two = start("two", {});
  QVERIFY(ended(two, 60));
  QVERIFY2(two.codes[0] == 0 && two.codes[1] == 0, qPrintable(two.words[0] + two.words[1]));
  QVERIFY(endOfWeights(path("two")) == endOfWeights(path("alone")));
  QVERIFY(loggedSteps(path("two")).size() == 20 && loggedSteps(path("two")) == loggedSteps(path("alone")));
  QVERIFY2(two.words[0].contains("2 ranks train together, by 10.98.0.1"), qPrintable(two.words[0]));
}

// As Debian writes its hosts file: the machine's own name is an address that it alone reaches.
void TwoHostsTest::aNameThatLeadsToItselfIsNoMatter() {
  QVERIFY(writeFileAtomically(path("hosts.a"), "127.0.0.1 localhost\n127.0.1.1 n1\n").ok());
  QVERIFY(writeFileAtomically(path("hosts.b"), "127.0.0.1 localhost\n127.0.1.1 n2\n10.98.0.1 n1\n").ok());
  RankPair two = start("named", {}, "n1", "n2", m_folder.filePath("hosts.a"), m_folder.filePath("hosts.b"));
  QVERIFY(ended(two, 60));
  QVERIFY2(two.codes[0] == 0 && two.codes[1] == 0, qPrintable(two.words[0] + two.words[1]));
  QVERIFY(endOfWeights(path("named")) == endOfWeights(path("alone")));
}

void TwoHostsTest::aSlowCableChangesNoBit() {
  cable("100mbit");
  RankPair two = start("slow", {"parallel.interface="});
  QVERIFY(ended(two, 60));
  QVERIFY2(two.codes[0] == 0 && two.codes[1] == 0, qPrintable(two.words[0] + two.words[1]));
  QVERIFY(endOfWeights(path("slow")) == endOfWeights(path("alone")));
  QCOMPARE(loggedSteps(path("slow")), loggedSteps(path("alone")));
}

void TwoHostsTest::aCutCableEndsBoth_data() {
  QTest::addColumn<QStringList>("settings");
  QTest::addColumn<int>("behind");  // updates
  QTest::newRow("updates") << QStringList() << 3;
  // Of minutes, in which nobody waits for anybody.
  QTest::newRow("validation") << QStringList{"validation.interval=1u", "validation.score_interval=1u",
                                             "data.validation_size=250", "validation.beam=8",
                                             "validation.max_length_b=2000"}
                              << 0;
}

void TwoHostsTest::aCutCableEndsBoth() {
  QFETCH(QStringList, settings);
  QFETCH(int, behind);
  constexpr int kTimeout = 4, kGrace = 1;  // for processes to end on a busy machine
  const QString name = QStringLiteral("cut") + QString::fromLatin1(QTest::currentDataTag());
  RankPair two = start(name, settings + QStringList{"training.length=100000u",
                                                    "parallel.timeout=" + QString::number(kTimeout)});
  QVERIFY(waitFor([&] { return int(loggedSteps(path(name)).size()) > behind; }, 60));
  cable("down");
  QElapsedTimer clock;
  clock.start();
  QVERIFY2(ended(two, kTimeout + kGrace), qPrintable(two.words[0] + two.words[1]));
  qInfo("both ended %lld ms after the cut, with a timeout of %d s", clock.elapsed(), kTimeout);
  QVERIFY2(two.codes[0] == 76 && two.codes[1] == 76, qPrintable(two.words[0] + two.words[1]));
  QVERIFY2(two.words[0].contains("rank 1 on n2"), qPrintable(two.words[0]));
  QVERIFY2(two.words[1].contains("rank 0 on n1"), qPrintable(two.words[1]));
  for (const QString& words : two.words) QVERIFY2(!words.contains("frame #"), qPrintable(words));
  const auto outcome = RunFolder(path(name)).outcome(1);
  QVERIFY(outcome && outcome->cause == "rank_lost" && outcome->state == RunState::Failed);
}

// Said by both before anybody waits.
void TwoHostsTest::loopbackIsNamed() {
  RankPair two = start("loopback", {"parallel.interface=lo"});
  QVERIFY2(ended(two, 15), qPrintable(two.words[0] + two.words[1]));
  for (const int rank : {0, 1}) {
    QCOMPARE(two.codes[rank], 30);
    QVERIFY2(two.words[rank].contains("rank 0 on n1 is to be reached at 127.0.0.1, which no other machine") &&
                 two.words[rank].contains("parallel.interface"),
             qPrintable(two.words[rank]));
  }
}

// Two machines of one name, as containers are: nobody can know that the addresses lead nowhere, and Gloo
// waits for ever.
void TwoHostsTest::loopbackOfTwinsEndsInTime() {
  constexpr int kTimeout = 3, kGrace = 5;
  RankPair two = start("twins", {"parallel.interface=lo", "parallel.timeout=" + QString::number(kTimeout)},
                       kFirstAddress, "n1");
  QVERIFY2(ended(two, kTimeout + kGrace + 5),
           qPrintable(two.words[0] + two.words[1]));  // with the engine's start
  for (const int rank : {0, 1}) {
    QCOMPARE(two.codes[rank], 76);
    QVERIFY2(two.words[rank].contains("the ranks did not find each other") &&
                 two.words[rank].contains("parallel.interface") && !two.words[rank].contains("frame #"),
             qPrintable(two.words[rank]));
  }
}

}  // namespace fathom::test

using fathom::test::TwoHostsTest;
QTEST_GUILESS_MAIN(TwoHostsTest)
#include "tst_two_hosts.moc"
