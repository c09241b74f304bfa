// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// What a run needs, against what it then takes; what cannot fit is refused in seconds; building can be
// stopped.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/base/files/atomic_file.h"
#include "core/base/files/memory_group.h"
#include "core/record/presets.h"
#include "core/record/runs/run_folder.h"
#include "core/tasks/made_sentences.h"
#include "core/tasks/task.h"
#include "tests/all_tests.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

namespace {

struct Ended {
  int code = -1;
  double seconds = 0;  // of processors: what else the machine does is not counted
  double peak = 0;     // bytes in physical memory
  std::string out, err;
  Json json() const { return parseJson(out.substr(out.rfind('\n', out.size() - 2) + 1)).value(); }
};

// Of a process that lives.
double processorSeconds(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::istringstream rest(text.substr(text.rfind(')') + 1));
  std::string word;
  double user = 0, system = 0;
  for (int i = 3; i <= 13; ++i) rest >> word;
  rest >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

class TestDryRun : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void memoryIsNearThePeak_data();
  void memoryIsNearThePeak();
  void whatCannotFitIsRefusedInSeconds();
  void theEngineLooksAgainBeforeItBuilds();
  void whatIsProposedFits_data();
  void whatIsProposedFits();
  void aGridIsLargestAndSum();
  void withoutDataMadeOnesStandIn();
  void statesOfAFrozenEncoderCountOnce();
  void layersThatLearnShrinkWithTheirStack();
  void stopActsWhileTheModelIsBuilt();
  void theShellGivesTheSameAnswer();
  void moreProcessesArePredicted();
  void unevenSharesAreSplit();
  void sumsBetweenProcessesAreTimed();

 private:
  std::string path(const std::string& name) const { return m_dir.path().toStdString() + "/" + name; }
  std::string configFile(const std::string& preset, const Json& options) const;
  Json dataOf(const std::string& task) const;
  pid_t start(const std::vector<std::string>& words) const;
  Ended wait(pid_t pid) const;
  Ended engine(const std::vector<std::string>& words) const;
  QTemporaryDir m_dir;
  Json m_questions;  // options of the generated Text-to-SQL sample
};

void TestDryRun::initTestCase() {
  QVERIFY(writeMadeSentences(path("nmt"), 1, {2000, 60, 20}).ok());
  QVERIFY(findTask("mlm")->madeData.write(path("mlm"), 1, MadeDataSize::Check).ok());
  const auto questions = findTask("text_to_sql")->madeData.write(path("text_to_sql"), 1, MadeDataSize::Check);
  QVERIFY(questions.ok());
  m_questions = questions->options;
}

Json TestDryRun::dataOf(const std::string& task) const {
  return findTask(task)->madeData.files(path(task));
}

std::string TestDryRun::configFile(const std::string& preset, const Json& options) const {
  const Preset found = findPreset(preset).value();
  Json all = found.options;
  const std::string task = found.options.value("task", "nmt");
  all.update(dataOf(task));
  if (task == "mlm")
    all.update({{"mlm.documents", "blank_line"}, {"mlm.sentences", "line"}, {"mlm.vocabulary.size", 300}});
  all["device"] = "cpu";
  all["threads"] = 1;
  all.update(options);
  const std::string file = path("config.json");
  std::ofstream(file) << Json({{"format", 1}, {"name", preset}, {"preset", preset}, {"options", all}}).dump();
  return file;
}

pid_t TestDryRun::start(const std::vector<std::string>& words) const {
  std::vector<std::string> all = {FATHOM_BIN_DIR "/fathom-engine"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string out = path("out"), err = path("err");
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  if (std::freopen(out.c_str(), "w", stdout) == nullptr ||
      std::freopen(err.c_str(), "w", stderr) == nullptr || std::freopen("/dev/null", "r", stdin) == nullptr)
    ::_exit(127);
  ::setenv("GOMP_SPINCOUNT", "1000", 1);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

Ended TestDryRun::wait(pid_t pid) const {
  Ended ended;
  int status = 0;
  rusage usage{};
  if (::wait4(pid, &status, 0, &usage) != pid) return ended;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  ended.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ended.peak = static_cast<double>(usage.ru_maxrss) * 1024;
  ended.out = readFile(path("out")).value();
  ended.err = readFile(path("err")).value();
  return ended;
}

Ended TestDryRun::engine(const std::vector<std::string>& words) const {
  return wait(start(words));
}

void TestDryRun::memoryIsNearThePeak_data() {
  QTest::addColumn<QString>("preset");
  QTest::addColumn<QString>("length");
  QTest::newRow("small") << "sample_small"
                         << "60u";
  if (test::allTests())
    QTest::newRow("deep") << "sample_deep"
                          << "12u";
  QTest::newRow("masked words") << "mlm_quick"
                                << "20u";
}

void TestDryRun::memoryIsNearThePeak() {
  QFETCH(QString, preset);
  QFETCH(QString, length);
  const std::string config = configFile(preset.toStdString(), {{"training.length", length.toStdString()},
                                                               {"lr_schedule.warmup", 2},
                                                               {"threads", 0},
                                                               {"validation.interval", "never"}});
  const Ended asked = engine({"estimate", "--config", config, "--json", "--seconds", "1"});
  QVERIFY2(asked.code == 0, asked.err.c_str());
  const Json answer = asked.json();
  QVERIFY(answer.at("own_data").get<bool>());
  QVERIFY(answer.at("time").at("timed_updates").get<int>() > 0);
  const Ended trained = engine({"train", "--config", config, "--run", path("run_" + preset.toStdString())});
  QVERIFY2(trained.code == 0, trained.err.c_str());
  const double needed = answer.at("memory").at("needed").get<double>();
  const QString told = QStringLiteral("needed %1 MB, peak %2 MB").arg(needed / 1e6).arg(trained.peak / 1e6);
  qInfo() << preset << told << QString::fromStdString(answer.at("memory").dump());
  QVERIFY2(std::abs(needed / trained.peak - 1) < 0.2, qPrintable(told));
}

void TestDryRun::whatCannotFitIsRefusedInSeconds() {
  const std::string config = configFile("sample_deep", {{"encoder.layers", 900},
                                                        {"decoder.layers", 900},
                                                        {"model.width", 16384},
                                                        {"model.feed_forward", 65536}});
  const Ended ended = engine({"estimate", "--config", config, "--json", "--check"});
  QVERIFY2(ended.code == 40, ended.err.c_str());
  QVERIFY2(ended.seconds < 5, qPrintable(QString::number(ended.seconds)));
  QVERIFY2(ended.peak < 1.5e9, qPrintable(QString::number(ended.peak)));
  const Json answer = ended.json();
  // 12 d² + 13 d for an encoder layer, 16 d² + 19 d for one of the decoder, with f = 4 d.
  const double d = 16384, layers = 900 * (12 * d * d + 13 * d) + 900 * (16 * d * d + 19 * d);
  const double counted = answer.at("parameters").at("encoder").get<double>() +
                         answer.at("parameters").at("decoder").get<double>();
  QVERIFY2(std::abs(counted / layers - 1) < 1e-3, qPrintable(QString::number(counted / layers)));
  QVERIFY(!answer.at("fits").get<bool>());
  QVERIFY(answer.at("refusal").get<std::string>().find(" are free") != std::string::npos);
}

void TestDryRun::theEngineLooksAgainBeforeItBuilds() {
  const std::string config = configFile(
      "sample_deep", {{"encoder.layers", 900}, {"model.width", 16384}, {"model.feed_forward", 65536}});
  const Ended ended = engine({"train", "--config", config, "--run", path("too_large")});
  QCOMPARE(ended.code, 40);
  QVERIFY2(ended.seconds < 5, qPrintable(QString::number(ended.seconds)));
  QVERIFY2(ended.peak < 1.5e9, qPrintable(QString::number(ended.peak)));
  const RunFolder folder(path("too_large"));
  const auto outcome = folder.outcome(folder.lastAttempt());
  QVERIFY(outcome.has_value());
  QCOMPARE(outcome->cause, std::string("oom"));
  QVERIFY2(outcome->message.english().find("of memory") != std::string::npos,
           outcome->message.english().c_str());
}

void TestDryRun::whatIsProposedFits_data() {
  QTest::addColumn<QString>("what");
  QTest::addColumn<QString>("key");
  QTest::addColumn<double>("value");
  QTest::newRow("layers") << "encoder.layers"
                          << "encoder.layers" << 1000.0;
  QTest::newRow("batch") << "batch.max_tokens"
                         << "batch.max_tokens" << 1e8;
}

void TestDryRun::whatIsProposedFits() {
  QFETCH(QString, key);
  QFETCH(double, value);
  Json options = {
      {"model.width", 1024}, {"model.feed_forward", 4096}, {"decoder.layers", 1}, {"encoder.layers", 1}};
  if (key.startsWith("batch")) options.update({{"model.width", 256}, {"model.feed_forward", 1024}});
  options[key.toStdString()] = static_cast<std::int64_t>(value);
  const Ended refused =
      engine({"estimate", "--config", configFile("sample_deep", options), "--json", "--check"});
  QCOMPARE(refused.code, 40);
  QVERIFY2(refused.seconds < 5, qPrintable(QString::number(refused.seconds)));
  const Json remedies = refused.json().at("remedies");
  QVERIFY2(!remedies.empty(), refused.out.c_str());
  Json chosen;
  for (const Json& remedy : remedies)
    if (remedy.at("options").contains(key.toStdString())) chosen = remedy.at("options");
  QVERIFY2(chosen.is_object(), remedies.dump().c_str());
  options.update(chosen);
  // What others take of the machine meanwhile does not count: a hundredth less of everything.
  for (auto& [name, number] : chosen.items()) options[name] = number.get<std::int64_t>() * 9 / 10;
  const Ended fits =
      engine({"estimate", "--config", configFile("sample_deep", options), "--json", "--check"});
  QVERIFY2(fits.code == 0, fits.out.c_str());
}

void TestDryRun::aGridIsLargestAndSum() {
  const std::string config =
      configFile("sample_small", {{"training.length", "10u"}, {"lr_schedule.warmup", 2}});
  const Json members = Json::array({{{"name", "a"}, {"options", {{"seed", 1}}}},
                                    {{"name", "b"}, {"options", {{"seed", 2}}}},
                                    {{"name", "wide"}, {"options", {{"model.width", 128}}}}});
  std::ofstream(path("grid.json")) << members.dump();
  const Ended ended =
      engine({"estimate", "--config", config, "--grid", path("grid.json"), "--json", "--seconds", "0.1"});
  QVERIFY2(ended.code == 0, ended.err.c_str());
  const Json grid = ended.json();
  QCOMPARE(grid.at("runs").get<int>(), 3);
  QCOMPARE(grid.at("memory").at("largest").get<std::string>(), std::string("wide"));
  QVERIFY(grid.at("time").at("total").get<double>() > 0);
  Json large = members;
  large[2]["options"] = {{"model.width", 16384}, {"encoder.layers", 900}};
  std::ofstream(path("grid.json")) << large.dump();
  const Ended refused =
      engine({"estimate", "--config", config, "--grid", path("grid.json"), "--json", "--check"});
  QCOMPARE(refused.code, 40);
  QVERIFY2(refused.seconds < 5, qPrintable(QString::number(refused.seconds)));
  QVERIFY(refused.json().at("refusal").get<std::string>().starts_with("wide: "));
}

void TestDryRun::withoutDataMadeOnesStandIn() {
  const std::string config =
      configFile("sample_small", {{"data.train", ""}, {"data.validation", ""}, {"data.test", ""}});
  const Ended ended = engine({"estimate", "--config", config, "--json", "--seconds", "0.1"});
  QVERIFY2(ended.code == 0, ended.err.c_str());
  QVERIFY(!ended.json().at("own_data").get<bool>());
  QVERIFY(ended.json().at("time").at("total").get<double>() > 1);
  QVERIFY(ended.json().at("notes").dump().find("made data") != std::string::npos);
}

// A tenth of a billion parameters take seconds to fill.
// A run computes them before its first update and keeps them: an update does not cost the encoder.
void TestDryRun::statesOfAFrozenEncoderCountOnce() {
  const auto answer = [this](const char* encoder) {
    Json options = m_questions;
    options.update({{"training.length", "200u"},
                    {"model.sql_sp.encoder", encoder},
                    {"encoder.layers", 2},
                    {"model.width", 128},
                    {"model.heads", 4},
                    {"model.feed_forward", 512}});
    const Ended ended =
        engine({"estimate", "--json", "--seconds", "0.1", "--config", configFile("sql_sp_quick", options)});
    return ended.code == 0 ? ended.json() : Json::object();
  };
  const Json frozen = answer("frozen"), trained = answer("trained");
  QVERIFY(frozen.contains("time") && trained.contains("time"));
  QVERIFY(trained["time"]["prepare"].is_null());
  const double once = frozen["time"]["prepare"].get<double>(), each = frozen["time"]["update"].get<double>();
  QVERIFY2(once > 0, qPrintable(QString::number(once)));
  // Other programs can only make a measurement longer.
  double shortest = each, full = trained["time"]["update"].get<double>();
  for (int again = 0; again < 3 && shortest >= 0.7 * full; ++again)
    shortest = std::min(shortest, answer("frozen")["time"]["update"].get<double>());
  QVERIFY2(shortest < 0.7 * full, qPrintable(QString::number(shortest)));
  QVERIFY(frozen["time"]["total"].get<double>() > once + 200 * each);
}

// "The two upper layers learn" of an encoder that is measured with one layer.
void TestDryRun::layersThatLearnShrinkWithTheirStack() {
  Json options = m_questions;
  options.update({{"model.sql_sp.encoder", "top"},
                  {"model.sql_sp.trained_layers", 2},
                  {"model.width", 48},
                  {"model.heads", 4},
                  {"model.feed_forward", 64}});
  const std::string config = configFile("sql_sp_quick", options);
  const Ended ended = engine({"estimate", "--json", "--seconds", "0.1", "--config", config});
  QCOMPARE(ended.code, 0);
  const Json answer = ended.json();
  QVERIFY(answer["notes"].dump().find("could not be measured") == std::string::npos);
  QVERIFY2(answer["time"]["update"].is_number(), answer.dump().c_str());
}

void TestDryRun::stopActsWhileTheModelIsBuilt() {
  const auto room = memoryRoom();
  if (!room || room->free < 8'000'000'000) QSKIP("needs 8 GB of free memory");
  const std::string config = configFile("sample_small", {{"model.width", 4096},
                                                         {"model.feed_forward", 16384},
                                                         {"batch.max_tokens", 128},
                                                         {"encoder.layers", 1},
                                                         {"decoder.layers", 1}});
  const std::string run = path("large");
  const pid_t pid = start({"train", "--config", config, "--run", run});
  const std::string events = run + "/attempts/0001/events.jsonl";
  QVERIFY(QTest::qWaitFor(
      [&] {
        const auto text = readFile(events);
        return text.ok() && text->find("initial values") != std::string::npos;
      },
      60000));
  const std::string text = readFile(events).value();
  QVERIFY(text.find("building the model") != std::string::npos);
  const double before = processorSeconds(pid);
  ::kill(pid, SIGTERM);
  const Ended ended = wait(pid);
  QCOMPARE(ended.code, 10);
  QVERIFY2(before > 0 && ended.seconds - before < 1, qPrintable(QString::number(ended.seconds - before)));
  const RunFolder folder(run);
  QCOMPARE(folder.outcome(1)->state, RunState::Stopped);
}

void TestDryRun::theShellGivesTheSameAnswer() {
  ProjectFixture project;
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  const QString file = QString::fromStdString(path("project"));
  QCOMPARE(project.fathom({"new-project", "--out", file}).exitCode, 0);
  const QStringList small = {"train",     "--project", file,    "--preset", "sample_small",
                             "--dry-run", "--json",    "--set", "threads=1"};
  const ShellResult fits = project.fathom(small);
  QVERIFY2(fits.exitCode == 0, qPrintable(fits.err));
  QCOMPARE(
      fits.json().at("parameters").at("total"),
      engine({"estimate", "--config", configFile("sample_small", Json::object()), "--json", "--seconds", "0"})
          .json()
          .at("parameters")
          .at("total"));
  const QStringList large = small + QStringList{"--set", "model.width=16384", "--set", "encoder.layers=900"};
  const ShellResult refused = project.fathom(large);
  QCOMPARE(refused.exitCode, 40);
  QVERIFY(!refused.json().at("fits").get<bool>());
  // And without --dry-run: nothing is queued.
  QStringList queued = large;
  queued.removeAll("--dry-run");
  QCOMPARE(project.fathom(queued).exitCode, 40);
  QVERIFY(QueueFolder(file.toStdString()).entries()->empty());
  const ShellResult grid =
      project.fathom({"grid", "--project", file, "--preset", "sample_small", "--over", "model.width=16,16384",
                      "--set", "encoder.layers=900", "--set", "threads=1", "--json"});
  QCOMPARE(grid.exitCode, 40);
  QVERIFY(QueueFolder(file.toStdString()).entries()->empty());
}

// From the time of an update and what the network between two processes of this machine takes; a network that
// was measured elsewhere comes instead of it.
void TestDryRun::moreProcessesArePredicted() {
  const std::string file = configFile("sample_small", {{"parallel.ranks", 4}, {"training.accumulation", 8}});
  const Ended here = engine({"estimate", "--config", file, "--json", "--seconds", "0.5"});
  QVERIFY2(here.code == 0, here.err.c_str());
  const Json ranks = here.json().at("ranks");
  QCOMPARE(ranks.at("asked").get<int>(), 4);
  QCOMPARE(ranks.at("batches").get<int>(), 8);
  QCOMPARE(ranks.at("gradient_bytes").get<double>(), here.json().at("memory").at("gradients").get<double>());
  QVERIFY(ranks.at("step").get<double>() > 0 &&
          ranks.at("step").get<double>() < ranks.at("update").get<double>());
  QCOMPARE(ranks.at("update").get<double>(), here.json().at("time").at("update").get<double>());
  const Json& link = ranks.at("links").at(0);
  QVERIFY(link.at("measured").get<bool>() && link.at("name") == "On this machine");
  const double bandwidth = link.at("bandwidth").get<double>(), latency = link.at("latency").get<double>();
  QVERIFY2(bandwidth > 1e7 && bandwidth < 1e12, std::to_string(bandwidth).c_str());
  QVERIFY2(latency > 1e-7 && latency < 0.1, std::to_string(latency).c_str());
  QCOMPARE(ranks.at("links").size(), std::size_t{3});
  const Ended elsewhere = engine({"estimate", "--config", file, "--json", "--seconds", "0.5", "--bandwidth",
                                  "1e9", "--latency", "1e-5"});
  QVERIFY2(elsewhere.code == 0, elsewhere.err.c_str());
  const Json measured = elsewhere.json().at("ranks").at("links").at(0);
  QCOMPARE(measured.at("bandwidth").get<double>(), 1e9);
  QCOMPARE(measured.at("latency").get<double>(), 1e-5);
}

// Refused before anything is queued, with the same update in batches that can be shared out.
void TestDryRun::unevenSharesAreSplit() {
  const std::string file = configFile("sample_small", {{"parallel.ranks", 4}, {"training.accumulation", 6}});
  const Ended uneven = engine({"estimate", "--config", file, "--json", "--check"});
  QCOMPARE(uneven.code, 30);
  const Json report = uneven.json();
  QVERIFY(!report.at("fits").get<bool>() && report.at("refusal_key") == "training.accumulation");
  QVERIFY(report.at("refusal").get<std::string>().find("take 4, 8 batches") != std::string::npos);
  const Json remedy = report.at("remedies").at(0);
  QCOMPARE(remedy.at("options").at("training.accumulation").get<int>(), 8);
  QCOMPARE(remedy.at("options").at("batch.max_tokens").get<int>(), 768);
  QCOMPARE(remedy.at("words").get<std::string>(), std::string("8 batches of 768 tokens"));
  const Ended words = engine({"estimate", "--config", file, "--check"});
  QVERIFY2(words.out.find("refused: option 'training.accumulation'") != std::string::npos, words.out.c_str());
  ProjectFixture project;
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  const ShellResult refused =
      project.fathom({"train", "--project", QString::fromStdString(project.path()), "--preset",
                      "sample_small", "--set", "parallel.ranks=4", "--set", "training.accumulation=6"});
  QVERIFY2(refused.exitCode != 0 && refused.err.contains("training.accumulation"), qPrintable(refused.err));
  QVERIFY(QueueFolder(project.path()).entries()->empty());
}

void TestDryRun::sumsBetweenProcessesAreTimed() {
  const Ended timed = engine({"all-reduce", "--ranks", "3", "--json"});
  QVERIFY2(timed.code == 0, timed.err.c_str());
  QCOMPARE(timed.json().at("ranks").get<int>(), 3);
  QVERIFY(timed.json().at("bandwidth").get<double>() > 1e7);
  const Ended words = engine({"all-reduce"});
  QVERIFY2(words.out.find("2 ranks by ") == 0 && words.out.find("--bandwidth ") != std::string::npos,
           words.out.c_str());
  const Ended nowhere = engine({"all-reduce", "--interface", "nosuch0"});
  QCOMPARE(nowhere.code, 30);
  QVERIFY2(nowhere.err.find("nosuch0") != std::string::npos, nowhere.err.c_str());
}

QTEST_GUILESS_MAIN(TestDryRun)
#include "tst_dry_run.moc"
