// SPDX-License-Identifier: Apache-2.0
// Several ranks train one run: its parts, and whole runs of ranks that are threads.
#include <QTest>
#include <map>

#include "core/base/files/atomic_file.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/train/loop/rank_facts.h"
#include "core/train/parallel/gradient_buckets.h"
#include "core/train/parallel/rank_share.h"
#include "tests/torch/support_thread_ranks.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_waiting.h"

namespace fathom::test {

namespace {

using Variables = std::map<std::string, std::string>;

Result<Ranks> ranksIn(const Variables& variables) {
  return ranksOf([&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

Variables ofTorchrun() {
  return {{"RANK", "3"},
          {"WORLD_SIZE", "4"},
          {"LOCAL_RANK", "1"},
          {"LOCAL_WORLD_SIZE", "2"},
          {"MASTER_ADDR", "n1"},
          {"MASTER_PORT", "29500"},
          {"TORCHELASTIC_USE_AGENT_STORE", "True"},
          {"TORCHELASTIC_RESTART_COUNT", "1"}};
}

Variables ofSlurmStep() {
  return {{"SLURM_STEP_ID", "0"},
          {"SLURM_STEP_NUM_TASKS", "4"},
          {"SLURM_PROCID", "2"},
          {"SLURM_LOCALID", "0"},
          {"SLURM_STEP_NUM_NODES", "2"},
          {"SLURM_JOB_ID", "45123"},
          {"SLURM_STEP_NODELIST", "n[07-08]"}};
}

// What is written of a run beyond the lines of its updates.
std::vector<std::string> validations(const std::string& run, int attempt = 1) {
  std::vector<std::string> found;
  for (const Json& event : eventsOfKind(run, attempt, "validation"))
    found.push_back(event.at("step").dump() + " " + event.at("m").dump());
  return found;
}

// Bytes of every tensor file of the newest checkpoint.
std::string newestState(const std::string& run) {
  std::string all;
  const auto checkpoints = listCheckpoints(run);
  if (checkpoints.empty()) return all;
  for (const char* file : {"/model.safetensors", "/optimizer.safetensors"})
    all += readFile(checkpoints.back().path + file).value();
  return all;
}

const std::vector<std::string> kBase = {"precision=float64",
                                        "training.length=6u",
                                        "validation.interval=3u",
                                        "checkpoint.interval=3u",
                                        "validation.score_interval=never",
                                        "parallel.check=2"};

// Looks at the run until it is stopped, while the other rank is lost.
class LongLook final : public RunAnalyst {
 public:
  explicit LongLook(ThreadRanks& ranks) : m_ranks(ranks) {}
  bool stopped = false;
  Status begin(const RunMoment&) override { return {}; }
  std::vector<AnalysisReport> scheduled(const RunMoment& moment) override {
    m_ranks.lose(1);
    stopped = waitFor([&] { return moment.stop.stopRequested(); });
    return {};
  }
  std::vector<AnalysisReport> epochEnded(const RunMoment&) override { return {}; }
  AttentionPulse pulse(const RunMoment&, bool) override { return {}; }

 private:
  ThreadRanks& m_ranks;
};

// Counts the buckets that have left.
class CountingExchange final : public GradientExchange {
 public:
  int launched = 0;
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void useDevice(const torch::Device&) override {}
  void launch(const torch::Tensor&) override { ++launched; }
  void finish() override {}
  std::vector<std::vector<double>> gather(const std::vector<double>& mine) override { return {mine}; }
  std::string fromFirst(const std::string& said) override { return said; }
  std::vector<std::string> collect(const std::string& mine) override { return {mine}; }
  int strongestWish(int own) override { return own; }
  bool someoneGone() override { return false; }
  void leave(const RankEnd&) override {}
  std::string way() const override { return "nowhere"; }
  std::string nameOf(int) const override { return "this one"; }
};

std::vector<std::string> with(std::vector<std::string> more) {
  more.insert(more.begin(), kBase.begin(), kBase.end());
  return more;
}

}  // namespace

class RanksTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void startersNameThem();
  void halfAnEnvironmentIsRefused();
  void aBatchScriptHasNone();
  void firstHosts();
  void termsArriveAsTheyWere();
  void bucketsAddUp();
  void bucketsLeaveWhileTheBackwardPassGoesOn();
  void sharesMustBeEven();
  void ranksAreOneProcess_data();
  void ranksAreOneProcess();
  void resumesAsOneProcess();
  void otherWeightsAreReported();
  void aRankThatFailsEndsTheAttempt();
  void aLostRankCutsWhatTheFirstDoesAlone();
  void endsAreToldWhole();
  void whatRanksHaveUnlikeIsNamed_data();
  void whatRanksHaveUnlikeIsNamed();

 private:
  // Trains with ranks that are threads.
  RunReport trainTogether(int size, const std::string& name, const std::vector<std::string>& assignments,
                          const std::vector<std::string>& ofOthers = {});
  TinyRuns m_runs;
};

void RanksTest::startersNameThem() {
  const Ranks torchrun = ranksIn(ofTorchrun()).value();
  QVERIFY(torchrun.starter == Ranks::Starter::Torchrun && torchrun.rank == 3 && torchrun.size == 4);
  QVERIFY(torchrun.localRank == 1 && torchrun.localSize == 2 && torchrun.port == 29500);
  QVERIFY(torchrun.address == "n1" && torchrun.metElsewhere && torchrun.life == "1");
  const Ranks slurm = ranksIn(ofSlurmStep()).value();
  QVERIFY(slurm.starter == Ranks::Starter::Slurm && slurm.rank == 2 && slurm.size == 4);
  QVERIFY(slurm.localSize == 2 && slurm.address == "n07" && slurm.port == 25123 && !slurm.metElsewhere);
  Variables sent = ofSlurmStep();
  sent["MASTER_ADDR"] = "10.1.0.7";
  sent["MASTER_PORT"] = "29501";
  const Ranks elsewhere = ranksIn(sent).value();
  QVERIFY(elsewhere.address == "10.1.0.7" && elsewhere.port == 29501 && elsewhere.rank == 2);
  QVERIFY(ranksIn({}).value().alone());
  QVERIFY(ranksIn({{"MASTER_ADDR", "n1"}, {"MASTER_PORT", "1"}}).value().alone());
}

void RanksTest::halfAnEnvironmentIsRefused() {
  const std::vector<std::pair<Variables, const char*>> cases = {
      {{{"RANK", "0"}}, "RANK without WORLD_SIZE, MASTER_ADDR, MASTER_PORT"},
      {{{"WORLD_SIZE", "0"}, {"RANK", "0"}}, "WORLD_SIZE: '0'"},
      {{{"WORLD_SIZE", "2"}, {"RANK", "2"}}, "RANK: '2' is not a number from 0 to 1"},
      {{{"WORLD_SIZE", "2"}, {"RANK", "-1"}}, "RANK: '-1'"},
      {{{"WORLD_SIZE", "2"}, {"RANK", "1"}, {"MASTER_PORT", "x"}}, "MASTER_PORT: 'x'"}};
  for (const auto& [wrong, words] : cases) {
    Variables variables = wrong.size() == 1 ? Variables() : ofTorchrun();
    for (const auto& [name, value] : wrong) variables[name] = value;
    const auto ranks = ranksIn(variables);
    QVERIFY2(!ranks.ok() && ranks.error().text().find(words) != std::string::npos,
             ranks.ok() ? words : ranks.error().text().c_str());
  }
}

void RanksTest::aBatchScriptHasNone() {
  QVERIFY(ranksIn({{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}, {"SLURM_JOB_ID", "7"}}).value().alone());
  Variables step = ofSlurmStep();
  step["SLURM_STEP_NUM_TASKS"] = "1";
  QVERIFY(ranksIn(step).value().alone());
}

void RanksTest::firstHosts() {
  QCOMPARE(firstHostOf("n1"), std::string("n1"));
  QCOMPARE(firstHostOf("login2,n[3-5]"), std::string("login2"));
  QCOMPARE(firstHostOf("n[003-5,9]-ib,x"), std::string("n003-ib"));
  QCOMPARE(firstHostOf("n[7]"), std::string("n7"));
  QCOMPARE(firstHostOf("n[7"), std::string());
}

void RanksTest::termsArriveAsTheyWere() {
  std::vector<TermNumbers> terms(2), back;
  terms[0] = {3, -0.25, 7, {{"", 1.5, 2}, {"", -0.0, 1}}};
  terms[1] = {1, 1e300, 0, {}};
  const std::vector<double> packed = packedTerms(terms, 3);
  QCOMPARE(packed.size(), packedTermsLength(3));
  unpackTerms(packed.data(), back);
  QVERIFY(back == terms);
  orderTerms(back);
  QCOMPARE(back.front().microBatch, std::int64_t{1});
  QVERIFY_THROWS_EXCEPTION(Failure, packedTerms(terms, 1));
}

// Three ranks, small buckets, a parameter that one rank uses and one that nobody does.
void RanksTest::bucketsAddUp() {
  ThreadRanks ranks(3);
  ranks.together([](GradientExchange& exchange) {
    std::vector<torch::Tensor> parameters;
    for (int i = 0; i < 4; ++i) parameters.push_back(torch::ones({5, 2}).set_requires_grad(true));
    GradientBuckets buckets(exchange, parameters, 2 * 10 * 4);
    for (int update = 1; update <= 2; ++update) {
      for (torch::Tensor& parameter : parameters) parameter.mutable_grad().reset();
      const double own = update * (exchange.rank() + 1.0);
      torch::Tensor loss = (parameters[0] * own).sum();
      if (exchange.rank() == 1) loss = loss + (parameters[2] * 10).sum() + parameters[1].sum() * 0.5;
      buckets.arm();
      loss.backward();
      const std::vector<double> mine = buckets.sendRest();
      std::vector<double> present(mine.size(), 0);
      for (const auto& said : exchange.gather(mine))
        for (std::size_t i = 0; i < present.size(); ++i) present[i] += said[i];
      buckets.finish(present);
      if (!parameters[0].grad().eq(update * 6.0).all().item<bool>()) throw std::runtime_error("sum");
      if (!parameters[2].grad().eq(10).all().item<bool>()) throw std::runtime_error("one rank");
      if (!parameters[1].grad().eq(0.5).all().item<bool>()) throw std::runtime_error("one rank");
      if (parameters[3].grad().defined()) throw std::runtime_error("nobody");
    }
  });
}

// A chain of maps of 1 MB each: when the gradient of its input is there, those of all maps but the first are.
void RanksTest::bucketsLeaveWhileTheBackwardPassGoesOn() {
  constexpr int kMaps = 16;
  CountingExchange exchange;
  std::vector<torch::Tensor> parameters;
  torch::Tensor state = torch::ones({1, 512});
  for (int i = 0; i < kMaps; ++i) {
    parameters.push_back(torch::full({512, 512}, 1.0 / 512).set_requires_grad(true));
    state = state.matmul(parameters.back());
  }
  GradientBuckets buckets(exchange, parameters);
  int before = -1;
  parameters.front().register_hook([&](const torch::Tensor&) { before = exchange.launched; });
  buckets.arm();
  state.sum().backward();
  QCOMPARE(before, 7);
  QCOMPARE(exchange.launched, 8);
  const std::vector<double> present = buckets.sendRest();
  QCOMPARE(exchange.launched, 8);
  QCOMPARE(present, std::vector<double>(kMaps, 1.0));
}

void RanksTest::sharesMustBeEven() {
  QVERIFY(checkShares(6, 3).ok() && checkShares(1, 1).ok());
  const Status refused = checkShares(6, 4);
  QVERIFY(!refused.ok() && refused.error().key == "training.accumulation");
  QVERIFY2(refused.error().text().find("take 4, 8 batches") != std::string::npos &&
               refused.error().text().find("1, 2, 3, 6 ranks") != std::string::npos,
           refused.error().text().c_str());
  const RunReport report = trainTogether(2, "uneven", {"training.accumulation=3"});
  QCOMPARE(report.code, ExitCode::BadInput);
}

RunReport RanksTest::trainTogether(int size, const std::string& name,
                                   const std::vector<std::string>& assignments,
                                   const std::vector<std::string>& ofOthers) {
  ThreadRanks ranks(size);
  std::vector<std::string> theirs = assignments;
  theirs.insert(theirs.end(), ofOthers.begin(), ofOthers.end());
  const auto meeting =
      ranks.meeting([&](RankMeeting& other) { m_runs.train(name, theirs, nullptr, nullptr, &other); });
  const RunReport report = m_runs.train(name, assignments, nullptr, nullptr, meeting.get());
  ranks.join();
  return report;
}

void RanksTest::ranksAreOneProcess_data() {
  QTest::addColumn<int>("size");
  QTest::addColumn<QStringList>("options");
  QTest::newRow("two") << 2 << QStringList{"training.accumulation=2"};
  QTest::newRow("three, two batches each, carried over")
      << 3
      << QStringList{"training.accumulation=6", "training.left_over=carried", "training.length=2e",
                     "parallel.check=0"};
  QTest::newRow("four, an epoch shorter than they are")
      << 4
      << QStringList{"training.accumulation=4", "batch.max_tokens=2500",
                     "training.normalisation=mean_of_micro_batches", "clip.norm=0.1"};
}

// Where each rank has one batch of an update the sums are those of one process to the bit, else to the last
// digits.
void RanksTest::ranksAreOneProcess() {
  QFETCH(int, size);
  QFETCH(QStringList, options);
  std::vector<std::string> assignments = with({});
  for (const QString& option : options) assignments.push_back(option.toStdString());
  const std::string tag = std::to_string(size);
  const RunReport alone = m_runs.train("alone" + tag, assignments);
  QVERIFY2(alone.code == ExitCode::Finished, alone.error.text().c_str());
  const RunReport report = trainTogether(size, "ranks" + tag, assignments);
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  const std::string one = m_runs.path("alone" + tag), many = m_runs.path("ranks" + tag);
  QCOMPARE(eventsOfKind(many, 1, "run_started").at(0).at("ranks").get<int>(), size);
  QCOMPARE(stepLosses(many, 1).size(), stepLosses(one, 1).size());
  if (size == 3) {
    const auto a = eventsOfKind(one, 1, "step"), b = eventsOfKind(many, 1, "step");
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double loss = a[i].at("m").at("loss").get<double>();
      QVERIFY(std::abs(loss - b[i].at("m").at("loss").get<double>()) < 1e-12 * std::abs(loss));
    }
    return;
  }
  QVERIFY(stepLosses(many, 1) == stepLosses(one, 1));
  QVERIFY(!validations(one).empty() && validations(many) == validations(one));
  QVERIFY(!newestState(one).empty() && newestState(many) == newestState(one));
}

void RanksTest::resumesAsOneProcess() {
  const auto options = with({"training.accumulation=2"});
  QCOMPARE(trainTogether(2, "whole", options).code, ExitCode::Finished);
  const auto whole = stepLosses(m_runs.path("whole"), 1);
  ThreadRanks ranks(2);
  const auto meeting =
      ranks.meeting([&](RankMeeting& other) { m_runs.resume("whole", "0001-00000003", nullptr, &other); });
  const RunReport report = m_runs.resume("whole", "0001-00000003", nullptr, meeting.get());
  ranks.join();
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  const auto rest = stepLosses(m_runs.path("whole"), 2);
  QCOMPARE(rest.size(), std::size_t{3});
  QVERIFY(std::equal(rest.rbegin(), rest.rend(), whole.rbegin()));
}

// One bit, planted on one rank.
void RanksTest::otherWeightsAreReported() {
  std::vector<std::string> said(3);
  ThreadRanks ranks(3);
  ranks.together([&](GradientExchange& exchange) {
    RankShare share(exchange, {}, 2);
    const torch::Tensor weight = torch::ones({3}, torch::kFloat64).set_requires_grad(true);
    share.hold({weight}, 3);
    share.compareWeights(2);
    if (exchange.rank() == 1) weight.mutable_data_ptr<double>()[1] = std::nextafter(1.0, 2.0);
    if (share.comparesAt(3)) throw std::runtime_error("not due");
    if (!share.comparesAt(4)) throw std::runtime_error("due");
    try {
      share.compareWeights(4);
    } catch (const Failure& failure) {
      said[static_cast<std::size_t>(exchange.rank())] = failure.error().text();
    }
  });
  for (const std::string& words : said)
    QCOMPARE(words, std::string("rank 1 of threads has other weights than rank 0 after update 4"));
}

void RanksTest::aRankThatFailsEndsTheAttempt() {
  const RunReport other = trainTogether(2, "seeds", with({"training.accumulation=2"}), {"seed=2"});
  QCOMPARE(other.code, ExitCode::BadInput);
  QVERIFY2(other.error.text().find("rank 1 of threads has other options: seed") != std::string::npos,
           other.error.text().c_str());
  // A file that one machine lacks: the error of that rank is that of the run, as it is of one process.
  const std::string nowhere = "data.validation=/nowhere.tsv";
  const RunReport alone = m_runs.train("alone-nowhere", with({nowhere}));
  const RunReport failed = trainTogether(2, "nowhere", with({"training.accumulation=2"}), {nowhere});
  QCOMPARE(failed.code, alone.code);
  QVERIFY2(failed.error.text().find("rank 1 of threads: " + alone.error.message) != std::string::npos,
           failed.error.text().c_str());
  QCOMPARE(failed.error.hint, alone.error.hint);
  const auto outcome = RunFolder(m_runs.path("nowhere")).outcome(1);
  const auto own = RunFolder(m_runs.path("alone-nowhere")).outcome(1);
  QVERIFY(outcome && own && outcome->cause == own->cause && outcome->exitCode == own->exitCode);
}

// At its analyses, for which the other one waits.
void RanksTest::aLostRankCutsWhatTheFirstDoesAlone() {
  const auto options = with({"training.accumulation=2", "analysis.interval=1u"});
  ThreadRanks ranks(2);
  LongLook look(ranks);
  const auto meeting =
      ranks.meeting([&](RankMeeting& other) { m_runs.train("looked", options, nullptr, nullptr, &other); });
  const RunReport report = m_runs.train("looked", options, nullptr, &look, meeting.get());
  ranks.join();
  QVERIFY(look.stopped);
  QVERIFY2(report.code == ExitCode::RankLost && report.error.message == "rank 1 of threads: killed",
           report.error.text().c_str());
  const auto outcome = RunFolder(m_runs.path("looked")).outcome(1);
  QVERIFY(outcome && outcome->cause == "rank_lost" && outcome->state == RunState::Failed);
}

void RanksTest::endsAreToldWhole() {
  RankEnd end{dataErrorAt("/data/a.tsv", 7, Phrase::tr("the train part is empty"), "see %1"), false};
  end.error.key = "data.train";
  const RankEnd back = rankEndFrom(rankEndText(end));
  QVERIFY(!back.lost && back.error.kind == ErrorKind::Data && back.error.line == 7);
  QCOMPARE(back.error.text(), end.error.text());
  QVERIFY(back.error.key == "data.train" && back.error.messagePhrase() == end.error.messagePhrase());
  const RankEnd memory = rankEndFrom(rankEndText({memoryError("out of memory"), false}));
  QVERIFY(memory.error.kind == ErrorKind::Resource && memory.error.resource == ResourceKind::HostMemory);
  QVERIFY_THROWS_EXCEPTION(OtherRankFailed, endWith("rank 1", end));
  const RankEnd words = rankEndFrom("connection reset");
  QVERIFY(words.lost && words.error.message == "connection reset");
  QVERIFY_THROWS_EXCEPTION(RankLost, endWith("rank 1", words));
  try {
    endWith("rank 1", rankEndFrom(rankEndText({unavailableError("refused", "name the interface"), true})));
  } catch (const RankLost& lost) {
    QCOMPARE(lost.error().text(), std::string("rank 1: refused (name the interface)"));
  }
}

void RanksTest::whatRanksHaveUnlikeIsNamed_data() {
  QTest::addColumn<QString>("member");
  QTest::addColumn<QString>("value");  // JSON
  QTest::addColumn<QString>("words");  // "": they are alike
  QTest::newRow("alike") << "program"
                         << "\"engine 1\""
                         << "";
  QTest::newRow("versions") << "program"
                            << "\"engine 2\""
                            << "rank 2 of threads is another program: engine 2 instead of engine 1";
  QTest::newRow("LibTorch") << "torch"
                            << R"("built\n  - MKL 2\n")"
                            << "rank 2 of threads has another LibTorch:   - MKL 2 instead of   - MKL 1";
  QTest::newRow("options") << "options"
                           << R"({"seed": 2})"
                           << "rank 2 of threads has other options: seed";
  QTest::newRow("data") << "data"
                        << R"([{"role": "train", "sha256": "b"}])"
                        << "rank 2 of threads reads other data: train";
}

void RanksTest::whatRanksHaveUnlikeIsNamed() {
  QFETCH(QString, member);
  QFETCH(QString, value);
  QFETCH(QString, words);
  QVERIFY(torchBuild().find("PyTorch built with") == 0 &&
          torchBuild().find("CPU capability") == std::string::npos);
  std::vector<std::string> said(3);
  ThreadRanks ranks(3);
  ranks.together([&](GradientExchange& exchange) {
    Json facts = {{"program", "engine 1"},
                  {"torch", "built\n  - MKL 1\n"},
                  {"options", {{"seed", 1}}},
                  {"data", Json::array({{{"role", "train"}, {"sha256", "a"}}})}};
    if (exchange.rank() == 2) facts[member.toStdString()] = parseJson(value.toStdString()).value();
    try {
      compareFacts(exchange, facts);
    } catch (const Failure& failure) {
      said[static_cast<std::size_t>(exchange.rank())] = failure.error().text();
    }
  });
  for (const std::string& one : said)
    QVERIFY2(words.isEmpty() ? one.empty() : one.find(words.toStdString()) == 0, one.c_str());
}

}  // namespace fathom::test

using fathom::test::RanksTest;
QTEST_GUILESS_MAIN(RanksTest)
#include "tst_ranks.moc"
