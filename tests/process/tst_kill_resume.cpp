// SPDX-License-Identifier: Apache-2.0
// ctest: engine
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/numbers/random_stream.h"
#include "core/record/events/event_reader.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/tasks/task.h"
#include "tests/all_tests.h"
#include "tests/unit/support_tensor_values.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;
namespace fs = std::filesystem;

// A tiny run on one thread, killed with SIGKILL at seeded moments: at random times, and inside the very
// write, flush, rename and create calls of events and checkpoints (FATHOM_FAULT=…:kill). No acknowledged
// point may be missing afterwards, and what comes out must be, bit for bit, what the uninterrupted run gives.
// Once with sentence pairs, and once with questions to SQL, whose examples and items are drawn anew for each
// epoch and whose frozen weights lie in a file that all checkpoints share. 7 kills of the one and 3 of the
// other, 50 and 20 with FATHOM_ALL_TESTS, N of each where the environment says so; seeded by SEED (default
// 1).
class KillResumeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void killed_data();
  void killed();

 private:
  using Bits = std::map<std::int64_t, std::uint64_t>;
  void trainGolden();
  pid_t start(const QStringList& arguments, const std::string& fault) const;
  int finish(pid_t process) const;
  pid_t startRun(const std::string& run, const std::string& fault) const;
  void waitForEvents(pid_t process, const std::string& run, int attempt, std::uint64_t bytes) const;
  bool killOnce(const std::string& run, RandomStream& random, Bits& acknowledged);
  void compare(const std::string& run, const Bits& acknowledged) const;
  static Bits lossBits(const std::string& run, bool superseded, bool& agreeing);
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  std::unique_ptr<QTemporaryDir> m_dir;
  std::string m_task;  // config.json of it is <task>.json, its uninterrupted run <task>-golden
  Bits m_golden;
  double m_startSeconds = 0;  // until the first event
};

namespace {

const QString kEngine = QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");
constexpr std::int64_t kUpdates = 160;
constexpr std::uint64_t kStepBytes = 260;

void writePairs(const std::string& file) {
  const char* const words[] = {"ein", "zwei", "drei", "vier", "haus", "baum",
                               "der", "die",  "rot",  "blau", "hund"};
  RandomStream random(11);
  std::ofstream out(file);
  for (int i = 0; i < 400; ++i) {
    std::string source, target;
    for (std::uint64_t left = 3 + random.below(7); left > 0; --left) {
      const std::string word = words[random.below(std::size(words))];
      source += (source.empty() ? "" : " ") + word;
      target = word + "X" + (target.empty() ? "" : " ") + target;
    }
    out << source << " " << i << '\t' << target << " " << i << '\n';
  }
}

Json tinyConfig(const std::string& pairs) {
  return {{"format", 1},
          {"name", "tiny"},
          {"options",
           {{"data.train", pairs},
            {"data.vocabulary.kind", "words"},
            {"data.validation_size", 20},
            {"data.test_size", 0},
            {"batch.max_tokens", 128},
            {"model.width", 16},
            {"model.heads", 2},
            {"model.feed_forward", 32},
            {"encoder.layers", 1},
            {"decoder.layers", 1},
            {"training.length", std::to_string(kUpdates) + "u"},
            {"validation.interval", "80u"},
            {"validation.score_interval", "never"},
            {"checkpoint.interval", "4u"},
            {"divergence.not_learning_after", 0},
            {"lr_schedule.warmup", 20},
            {"device", "cpu"},
            {"threads", 1}}}};
}

// Five epochs of a few questions; the upper layer of two learns.
Json tinySqlConfig(const std::string& folder) {
  Json options = findTask("text_to_sql")->madeData.write(folder, 1, MadeDataSize::Check).value().options;
  options.update({{"task", "text_to_sql"},
                  {"model", "sql_sp"},
                  {"spider.linking", "stems"},
                  {"spider.max_train", 90},
                  {"spider.max_validation", 8},
                  {"spider.max_pieces", 300},
                  {"spider.item_order", "shuffled"},
                  {"batch.examples", 3},
                  {"model.width", 16},
                  {"model.heads", 2},
                  {"model.feed_forward", 16},
                  {"model.bert.max_positions", 300},
                  {"encoder.layers", 2},
                  {"extra.layers", 1},
                  {"extra.attention", "relation_aware"},
                  {"model.extra_layers.heads", 2},
                  {"model.extra_layers.feed_forward", 16},
                  {"model.sql_sp.encoder", "top"},
                  {"model.sql_sp.trained_layers", 1},
                  {"model.sql_sp.width", 16},
                  {"model.sql_sp.hidden", 16},
                  {"model.sql_sp.vector", 16},
                  {"model.sql_sp.decoder_heads", 2},
                  {"model.sql_sp.action_width", 8},
                  {"model.sql_sp.type_width", 8},
                  {"training.length", std::to_string(kUpdates) + "u"},
                  {"validation.interval", "80u"},
                  {"validation.score_interval", "never"},
                  {"validation.max_steps", 20},
                  {"checkpoint.interval", "4u"},
                  {"divergence.not_learning_after", 0},
                  {"lr_schedule.warmup", 20},
                  {"device", "cpu"},
                  {"threads", 1}});
  return {{"format", 1}, {"name", "tiny"}, {"options", options}};
}

}  // namespace

pid_t KillResumeTest::start(const QStringList& arguments, const std::string& fault) const {
  std::vector<std::string> texts = {kEngine.toStdString()};
  for (const QString& argument : arguments) texts.push_back(argument.toStdString());
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (!fault.empty()) ::setenv("FATHOM_FAULT", fault.c_str(), 1);
  const int null = ::open("/dev/null", O_RDWR);
  const int log = ::open(path("engine.log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  ::dup2(null, 0);
  ::dup2(null, 1);
  ::dup2(log, 2);
  ::execv(pointers[0], pointers.data());
  ::_exit(127);
}

int KillResumeTest::finish(pid_t process) const {
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Resumes where there is something to go on from, else begins (again): a folder without run.json is what is
// left of a run that was killed while it was made, and the next one takes it as it is.
pid_t KillResumeTest::startRun(const std::string& run, const std::string& fault) const {
  const QString folder = QString::fromStdString(run);
  const auto config = QString::fromStdString(path(m_task + ".json"));
  if (!fs::exists(run + "/run.json"))
    return start(
        {QStringLiteral("train"), QStringLiteral("--config"), config, QStringLiteral("--run"), folder},
        fault);
  QStringList words{QStringLiteral("resume"), QStringLiteral("--run"), folder};
  if (!newestGoodCheckpoint(run)) words << QStringLiteral("--checkpoint") << QStringLiteral("none");
  return start(words, fault);
}

// Loss bits by step. `agreeing`: no step was recorded twice with different bits.
KillResumeTest::Bits KillResumeTest::lossBits(const std::string& run, bool superseded, bool& agreeing) {
  Bits bits;
  agreeing = true;
  const auto take = [&](std::int64_t step, double loss) {
    const auto value = std::bit_cast<std::uint64_t>(loss);
    const auto [it, added] = bits.try_emplace(step, value);
    agreeing = agreeing && it->second == value;
  };
  if (!superseded) {
    const auto loss = readRunScalars(run, "loss");
    if (!loss.ok() || loss->empty()) return bits;
    const ScalarSeries& series = loss->front();
    for (std::size_t i = 0; i < series.step.size(); ++i)
      take(static_cast<std::int64_t>(series.step[i]), series.value[i]);
    return bits;
  }
  for (const int attempt : RunFolder(run).attempts()) {
    EventReader reader(RunFolder(run).attemptPath(attempt) + "/events.jsonl");
    for (auto events = reader.poll(); events.ok() && !events->empty(); events = reader.poll()) {
      for (const Event& event : *events)
        for (const auto& [metric, value] : event.scalars)
          if (event.kind == "step" && metric == "loss") take(event.step, value);
    }
  }
  return bits;
}

void KillResumeTest::initTestCase() {
  QVERIFY2(fs::exists(kEngine.toStdString()), "fathom-engine is not built");
  m_dir = std::make_unique<QTemporaryDir>();
  writePairs(path("pairs.tsv"));
  std::ofstream(path("nmt.json")) << tinyConfig(path("pairs.tsv")).dump(2);
  std::ofstream(path("text_to_sql.json")) << tinySqlConfig(path("sql")).dump(2);
}

void KillResumeTest::trainGolden() {
  const std::string golden = path(m_task + "-golden");
  QElapsedTimer timer;
  timer.start();
  const pid_t process = startRun(golden, {});
  QVERIFY(waitFor([&] { return fs::exists(golden + "/attempts/0001/events.jsonl"); }, 60));
  m_startSeconds = static_cast<double>(timer.elapsed()) / 1000;
  const int code = finish(process);
  QVERIFY2(code == 0, qPrintable(QStringLiteral("the uninterrupted run ended with %1").arg(code)));
  bool agreeing = false;
  m_golden = lossBits(golden, true, agreeing);
  QVERIFY(agreeing);
  QCOMPARE(m_golden.size(), static_cast<std::size_t>(kUpdates));
}

// Waits until this life has recorded some events, or the process has ended.
void KillResumeTest::waitForEvents(pid_t process, const std::string& run, int attempt,
                                   std::uint64_t bytes) const {
  const std::string events = RunFolder(run).attemptPath(attempt) + "/events.jsonl";
  const bool came = waitFor(
      [&] {
        siginfo_t ended{};
        if (::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            ended.si_pid != 0)
          return true;
        std::error_code code;
        const auto size = fs::file_size(events, code);
        return !code && size >= bytes;
      },
      120);
  if (!came) QTest::qFail("the engine neither writes nor ends", __FILE__, __LINE__);
}

// One life of the run, ended by SIGKILL; false when it got through to its end before that.
bool KillResumeTest::killOnce(const std::string& run, RandomStream& random, Bits& acknowledged) {
  // Calls of each class to let pass: from the first event to several checkpoints later.
  static const std::pair<const char*, std::uint64_t> kCalls[] = {
      {"write", 120}, {"sync", 30}, {"rename", 30}, {"open", 14}};
  const std::uint64_t kind = random.below(9);
  std::string fault;
  if (kind < 4)
    fault =
        std::string(kCalls[kind].first) + ":" + std::to_string(random.below(kCalls[kind].second)) + ":kill";
  const std::uint64_t bytes = kind == 8 ? 0 : random.below(30 * kStepBytes);
  const std::uint64_t pause = kind == 8 ? static_cast<std::uint64_t>(m_startSeconds * 1.2e6) : 20000;
  const int attempt = RunFolder(run).lastAttempt() + 1;
  const pid_t process = startRun(run, fault);
  if (fault.empty()) {
    if (kind != 8) waitForEvents(process, run, attempt, bytes);
    ::usleep(static_cast<useconds_t>(random.below(pause)));  // the moment of the kill is what is tried
    // What can be read now has been acknowledged: it must be there afterwards.
    bool agreeing = false;
    if (fs::exists(run + "/run.json")) acknowledged = lossBits(run, true, agreeing);
    ::kill(process, SIGKILL);
  }
  const int code = finish(process);
  if (code != 0 && code != 128 + SIGKILL) {
    const auto log = readFile(path("engine.log"));
    const QString said = log.ok() ? QString::fromStdString(*log).right(400) : QString();
    QTest::qFail(qPrintable(QStringLiteral("the engine ended with %1: %2").arg(code).arg(said)), __FILE__,
                 __LINE__);
  }
  // Its end may have been written down just before the kill: there is nothing to go on with.
  const auto outcome = RunFolder(run).outcome(RunFolder(run).lastAttempt());
  return code != 0 && !(outcome && outcome->state == RunState::Finished);
}

void KillResumeTest::compare(const std::string& run, const Bits& acknowledged) const {
  bool agreeing = false;
  const Bits everything = lossBits(run, true, agreeing);
  QVERIFY2(agreeing, "a repeated step has another loss");
  for (const auto& [step, bits] : acknowledged) {
    const auto found = everything.find(step);
    QVERIFY2(found != everything.end() && found->second == bits,
             qPrintable(QStringLiteral("acknowledged step %1 is lost").arg(step)));
  }
  for (const auto& [step, bits] : everything) {
    const auto golden = m_golden.find(step);
    QVERIFY2(golden != m_golden.end() && golden->second == bits,
             qPrintable(QStringLiteral("step %1 differs from the uninterrupted run").arg(step)));
  }
}

void KillResumeTest::killed_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<int>("kills");
  const bool all = test::allTests();
  QTest::newRow("pairs") << QStringLiteral("nmt") << (all ? 50 : 7);
  QTest::newRow("questions") << QStringLiteral("text_to_sql") << (all ? 20 : 3);
}

void KillResumeTest::killed() {
  QFETCH(QString, task);
  QFETCH(int, kills);
  m_task = task.toStdString();
  trainGolden();
  if (QTest::currentTestFailed()) return;
  const int wanted = qEnvironmentVariable("N", QString::number(kills)).toInt();
  const auto seed = qEnvironmentVariable("SEED", QStringLiteral("1")).toULongLong();
  RandomStream random(streamSeed(seed, "kill"));
  QElapsedTimer timer;
  timer.start();
  int done = 0, runs = 0;
  while (done < wanted) {
    const std::string run = path(m_task + std::to_string(runs++));
    while (done < wanted) {
      Bits acknowledged;
      const bool died = killOnce(run, random, acknowledged);
      if (QTest::currentTestFailed()) return;
      compare(run, acknowledged);
      if (QTest::currentTestFailed()) return;
      if (!died) break;
      ++done;
    }
    const bool ended = RunFolder(run).state() == RunState::Finished || finish(startRun(run, {})) == 0;
    QVERIFY2(ended, "the run could not be brought to its end");
    bool agreeing = false;
    QVERIFY(lossBits(run, false, agreeing) == m_golden);
    const auto last = listCheckpoints(run), golden = listCheckpoints(path(m_task + "-golden"));
    QVERIFY(!last.empty() && last.back().step == golden.back().step);
    const std::string model = "/model.safetensors";
    const auto mine = SafetensorsFile::open(last.back().path + model);
    const auto theirs = SafetensorsFile::open(golden.back().path + model);
    QVERIFY(mine.ok() && theirs.ok());
    QVERIFY(verifyCheckpoint(last.back().path).ok());
    // What was killed while it was written is swept: checkpoints, and what they share.
    for (const auto& entry : fs::directory_iterator(RunFolder(run).checkpointsPath()))
      QVERIFY2(entry.path().filename().string().find(".tmp") == std::string::npos, entry.path().c_str());
    const auto& shared = last.back().shared;
    QCOMPARE(shared.size(), std::size_t(m_task == "text_to_sql" ? 1 : 0));
    if (!shared.empty()) QCOMPARE(shared[0].sha256, golden.back().shared.at(0).sha256);
    for (const TensorEntry& entry : theirs->entries())
      QVERIFY2(fixtures::readDoubles(*mine, entry.name).value() ==
                   fixtures::readDoubles(*theirs, entry.name).value(),
               entry.name.c_str());
    fs::remove_all(run);
  }
  qInfo("%d kills of seed %llu in %d runs, %.1f s: no acknowledged point lost, losses and weights bit-equal",
        done, seed, runs, static_cast<double>(timer.elapsed()) / 1000);
}

QTEST_APPLESS_MAIN(KillResumeTest)
#include "tst_kill_resume.moc"
