// SPDX-License-Identifier: Apache-2.0
// Whole runs: equal seeds, resume bit for bit, divergence, bad input.
#include <QTest>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"

using namespace fathom;
using namespace fathom::test;

class TestTrainingRun : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equalSeedsGiveEqualLosses();
  void epochsAreOneClock();
  void scoresFromAnUpdateOn();
  void resumesBitForBit();
  void resumesFromTheBeginning();
  void unknownCheckpointLeavesTheRecord();
  void twoThreadsAgree();
  void nonFiniteLossIsAnOutcome();
  void notLearningRunsToItsEnd();
  void badOptionNamesTheNearest();
  void badDataNamesFileAndLine();
  void existingFolderIsRefused();
  void lockedFolderIsRefused();
  void flippedByteIsFound();
  void changedDataAreRefused();
  void movedProjectGoesOn();
  void averagesAndTranslates();

 private:
  TinyRuns m_runs;
};

void TestTrainingRun::equalSeedsGiveEqualLosses() {
  QCOMPARE(m_runs.train("first").code, ExitCode::Finished);
  QCOMPARE(m_runs.train("again").code, ExitCode::Finished);
  QCOMPARE(m_runs.train("other", {"seed=2"}).code, ExitCode::Finished);
  const auto first = stepLosses(m_runs.path("first"), 1);
  QCOMPARE(first.size(), std::size_t{20});
  QVERIFY(first == stepLosses(m_runs.path("again"), 1));
  QVERIFY(first != stepLosses(m_runs.path("other"), 1));
  const auto outcome = RunFolder(m_runs.path("first")).outcome(1);
  QVERIFY(outcome && outcome->state == RunState::Finished && outcome->step == 20);
  QVERIFY(outcome->scores.contains("valid.bleu") && outcome->scores.contains("valid.nll"));
  QCOMPARE(undeclaredScalars(m_runs.path("first")), std::string());
}

// Every scalar counts epochs alike, with the part of the current one.
void TestTrainingRun::epochsAreOneClock() {
  const std::vector<std::string> options = {"training.length=2e", "batch.max_tokens=1024",
                                            "validation.interval=3u", "checkpoint.interval=never"};
  QCOMPARE(m_runs.train("epochs", options).code, ExitCode::Finished);
  std::map<std::int64_t, double> epochs;
  double before = 0;
  for (const Json& event : eventsOfKind(m_runs.path("epochs"), 1, "step")) {
    const double epoch = event.at("epoch").get<double>();
    QVERIFY(epoch > before);
    epochs[event.at("step").get<std::int64_t>()] = before = epoch;
  }
  QCOMPARE(before, 2.0);
  for (const auto& [step, epoch] : epochs)
    QVERIFY(std::abs(epoch - 2.0 * static_cast<double>(step) / static_cast<double>(epochs.size())) < 1e-12);
  const auto validations = eventsOfKind(m_runs.path("epochs"), 1, "validation");
  QVERIFY(validations.size() >= 2);
  for (const Json& event : validations)
    QCOMPARE(event.at("epoch").get<double>(), epochs.at(event.at("step").get<std::int64_t>()));
}

// Decoding costs most of a validation: where early outputs say nothing it starts later.
void TestTrainingRun::scoresFromAnUpdateOn() {
  const std::vector<std::string> options = {"training.length=20u", "validation.interval=5u",
                                            "validation.score_interval=5u", "validation.score_from=12u",
                                            "checkpoint.interval=never"};
  QCOMPARE(m_runs.train("late_scores", options).code, ExitCode::Finished);
  std::map<std::int64_t, bool> scored;
  for (const Json& event : eventsOfKind(m_runs.path("late_scores"), 1, "validation"))
    scored[event.at("step").get<std::int64_t>()] = event.at("m").contains("valid.bleu");
  const std::map<std::int64_t, bool> expected = {{5, false}, {10, false}, {15, true}, {20, true}};
  QVERIFY(scored == expected);
}

void TestTrainingRun::resumesBitForBit() {
  const std::vector<std::string> options = {"training.accumulation=2", "training.length=30u"};
  QCOMPARE(m_runs.train("resumed", options).code, ExitCode::Finished);
  const auto whole = stepLosses(m_runs.path("resumed"), 1);
  int attempt = 1;
  for (const char* checkpoint : {"0001-00000005", "0001-00000015", "0001-00000025"}) {
    QCOMPARE(m_runs.resume("resumed", checkpoint).code, ExitCode::Finished);
    const auto rest = stepLosses(m_runs.path("resumed"), ++attempt);
    QVERIFY(!rest.empty() && rest.size() < whole.size());
    QVERIFY(std::equal(rest.rbegin(), rest.rend(), whole.rbegin()));
    const auto started = eventsOfKind(m_runs.path("resumed"), attempt, "run_started");
    QVERIFY(started.at(0).at("bit_exact").get<bool>());
    QCOMPARE(started.at(0).at("resumed_from").get<std::string>(), std::string(checkpoint));
  }
}

void TestTrainingRun::resumesFromTheBeginning() {
  QCOMPARE(m_runs.train("fresh").code, ExitCode::Finished);
  QCOMPARE(m_runs.resume("fresh", "none").code, ExitCode::Finished);
  QVERIFY(stepLosses(m_runs.path("fresh"), 1) == stepLosses(m_runs.path("fresh"), 2));
}

void TestTrainingRun::unknownCheckpointLeavesTheRecord() {
  QCOMPARE(m_runs.train("kept").code, ExitCode::Finished);
  const RunFolder run(m_runs.path("kept"));
  for (const char* wrong : {"zzz", "7"}) {
    const RunReport report = m_runs.resume("kept", wrong);
    QCOMPARE(report.code, ExitCode::BadInput);
    QVERIFY2(report.error.text().find("0001-00000015") != std::string::npos, report.error.text().c_str());
    QCOMPARE(run.lastAttempt(), 1);
    QCOMPARE(run.state(), RunState::Finished);
  }
  QCOMPARE(m_runs.resume("kept", "15").code, ExitCode::Finished);
  QCOMPARE(eventsOfKind(run.path(), 2, "run_started").at(0).at("resumed_from").get<std::string>(),
           std::string("0001-00000015"));
}

void TestTrainingRun::twoThreadsAgree() {
  QCOMPARE(m_runs.train("one", {"precision=float64"}).code, ExitCode::Finished);
  QCOMPARE(m_runs.train("two", {"precision=float64", "threads=2"}).code, ExitCode::Finished);
  const auto one = eventsOfKind(m_runs.path("one"), 1, "step");
  const auto two = eventsOfKind(m_runs.path("two"), 1, "step");
  QCOMPARE(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double a = one[i].at("m").at("loss").get<double>(), b = two[i].at("m").at("loss").get<double>();
    QVERIFY2(std::abs(a - b) <= 1e-9 * std::abs(a), qPrintable(QString::number(a - b)));
  }
}

void TestTrainingRun::nonFiniteLossIsAnOutcome() {
  const RunReport report = m_runs.train(
      "nan", {"lr_schedule.rate=1e38", "lr_schedule.warmup=0", "lr_schedule.initial=1e30", "optimizer=adam"});
  QCOMPARE(report.code, ExitCode::Diverged);
  const auto outcome = RunFolder(m_runs.path("nan")).outcome(1);
  QVERIFY(outcome && outcome->state == RunState::Diverged);
  QVERIFY2(outcome->cause == "nan_loss" || outcome->cause == "inf_loss" || outcome->cause == "nonfinite_grad",
           outcome->cause.c_str());
  QVERIFY(!outcome->firstModule.empty());
  QCOMPARE(outcome->exitCode, 20);
  QCOMPARE(eventsOfKind(m_runs.path("nan"), 1, "diverged").size(), std::size_t{1});
}

void TestTrainingRun::notLearningRunsToItsEnd() {
  const RunReport report = m_runs.train(
      "flat", {"lr_schedule.rate=1e-9", "lr_schedule.initial=0", "divergence.not_learning_after=8"});
  QCOMPARE(report.code, ExitCode::Diverged);
  const auto outcome = RunFolder(m_runs.path("flat")).outcome(1);
  QVERIFY(outcome && outcome->cause == "no_learning");
  QCOMPARE(outcome->lastGoodCheckpoint, std::string("0001-00000020"));
  QCOMPARE(stepLosses(m_runs.path("flat"), 1).size(), std::size_t{20});
  // It was judged at update 10; all 20 were finite.
  QCOMPARE(outcome->lastFiniteStep, std::int64_t{20});
  for (const char* checkpoint : {"", "20"}) {
    const RunReport again = m_runs.resume("flat", checkpoint);
    QCOMPARE(again.code, ExitCode::BadInput);
    QVERIFY2(again.error.text().find("has done all its 20 updates") != std::string::npos,
             again.error.text().c_str());
    QCOMPARE(RunFolder(m_runs.path("flat")).lastAttempt(), 1);
  }
  const auto warnings = eventsOfKind(m_runs.path("flat"), 1, "warning");
  QCOMPARE(warnings.size(), std::size_t{1});
  // The facts of the sentence, for a window in another language: here, in the warning, and in the verdict.
  for (const char* fact : {"step", "nll", "ratio", "entropy"}) {
    QVERIFY2(outcome->details.contains(fact) && warnings[0].at("details").contains(fact), fact);
    QVERIFY2(eventsOfKind(m_runs.path("flat"), 1, "diverged").at(0).at("details").contains(fact), fact);
  }
  const auto fact = [&](const char* name) { return outcome->details[name].get<double>(); };
  QVERIFY(fact("nll") > fact("ratio") * fact("entropy"));
  QCOMPARE(warnings[0].at("cause").get<std::string>(), std::string("no_learning"));
}

void TestTrainingRun::badOptionNamesTheNearest() {
  const RunReport unknown = m_runs.train("unknown", {"encoder.layer=2"});
  QCOMPARE(unknown.code, ExitCode::BadInput);
  QVERIFY(unknown.error.text().find("encoder.layers") != std::string::npos);
  const auto outcome = RunFolder(m_runs.path("unknown")).outcome(1);
  QVERIFY(outcome && outcome->cause == "config");
  const auto failed = eventsOfKind(m_runs.path("unknown"), 1, "run_failed");
  QCOMPARE(failed.at(0).at("exit_code").get<int>(), 30);
  QCOMPARE(m_runs.train("illtyped", {"encoder.layers=many"}).code, ExitCode::BadInput);
  QCOMPARE(m_runs.train("device", {"device=tpu"}).code, ExitCode::BadInput);
  // A folder in which nothing was learnt may be used again.
  QCOMPARE(m_runs.train("unknown", {"training.length=5u"}).code, ExitCode::Finished);
}

void TestTrainingRun::badDataNamesFileAndLine() {
  const std::string file = m_runs.path("broken.tsv");
  QVERIFY(writeFileAtomically(file, "eins\tone\nzwei two\n").ok());
  const RunReport broken = m_runs.train("broken", {"data.train=" + file});
  QCOMPARE(broken.code, ExitCode::BadInput);
  QVERIFY2(broken.error.text().find("broken.tsv:2") != std::string::npos, broken.error.text().c_str());
  const RunReport missing = m_runs.train("missing", {"data.train=" + m_runs.path("nowhere.tsv")});
  QCOMPARE(missing.code, ExitCode::BadInput);
  QVERIFY(missing.error.text().find("nowhere.tsv") != std::string::npos);
}

void TestTrainingRun::existingFolderIsRefused() {
  QCOMPARE(m_runs.train("existing", {"training.length=5u"}).code, ExitCode::Finished);
  const RunReport report = m_runs.train("existing");
  QCOMPARE(report.code, ExitCode::BadInput);
  QVERIFY(report.error.text().find("already exists") != std::string::npos);
}

void TestTrainingRun::lockedFolderIsRefused() {
  QCOMPARE(m_runs.train("locked", {"training.length=5u"}).code, ExitCode::Finished);
  const auto lock = RunLock::acquire(m_runs.path("locked"), "");
  QVERIFY(lock.ok());
  const RunReport report = m_runs.resume("locked");
  QVERIFY(report.code != ExitCode::Finished);
  QVERIFY(report.error.text().find("in use by process") != std::string::npos);
  QCOMPARE(RunFolder(m_runs.path("locked")).lastAttempt(), 1);
}

void TestTrainingRun::flippedByteIsFound() {
  QCOMPARE(m_runs.train("flipped").code, ExitCode::Finished);
  const std::string file = m_runs.path("flipped") + "/checkpoints/0001-00000020/model.safetensors";
  std::string bytes = readFile(file).value();
  bytes[bytes.size() - 100] = static_cast<char>(bytes[bytes.size() - 100] ^ 1);
  QVERIFY(writeFileAtomically(file, bytes).ok());
  const RunReport asked = m_runs.resume("flipped", "0001-00000020");
  QCOMPARE(asked.code, ExitCode::BadInput);
  QVERIFY2(asked.error.text().find("model.safetensors") != std::string::npos, asked.error.text().c_str());
  // Without a wish the newest good one is taken and the damaged one is set aside.
  QCOMPARE(m_runs.resume("flipped").code, ExitCode::Finished);
  const int attempt = RunFolder(m_runs.path("flipped")).lastAttempt();
  const auto started = eventsOfKind(m_runs.path("flipped"), attempt, "run_started");
  QCOMPARE(started.at(0).at("resumed_from").get<std::string>(), std::string("0001-00000015"));
  QVERIFY(!eventsOfKind(m_runs.path("flipped"), attempt, "warning").empty());
}

void TestTrainingRun::changedDataAreRefused() {
  const std::string file = m_runs.path("changing.tsv");
  std::string text = readFile(m_runs.dataFile("train")).value();
  QVERIFY(writeFileAtomically(file, text).ok());
  QCOMPARE(m_runs.train("changing", {"data.train=" + file}).code, ExitCode::Finished);
  QVERIFY(writeFileAtomically(file, text + "hallo\thello\n").ok());
  const RunReport report = m_runs.resume("changing", "0001-00000010");
  QCOMPARE(report.code, ExitCode::BadInput);
  QVERIFY(report.error.text().find("changing.tsv") != std::string::npos);
}

// The data moved with the project: the run resumes twice (the second time from a checkpoint that names the
// new place) and its weights can be used.
void TestTrainingRun::movedProjectGoesOn() {
  namespace fs = std::filesystem;
  fs::create_directories(m_runs.path("old.fathom/runs"));
  fs::copy(m_runs.path("data"), m_runs.path("old.fathom/data"));
  std::vector<std::string> files;
  for (const char* part : {"train", "validation", "test"})
    files.push_back("data." + std::string(part) + "=" +
                    m_runs.path("old.fathom/data/" + std::string(part) + ".tsv"));
  QCOMPARE(m_runs.train("old.fathom/runs/one", files).code, ExitCode::Finished);
  const auto whole = stepLosses(m_runs.path("old.fathom/runs/one"), 1);
  fs::rename(m_runs.path("old.fathom"), m_runs.path("new.fathom"));
  const std::string run = "new.fathom/runs/one";
  for (const char* checkpoint : {"0001-00000010", "0002-00000015"}) {
    const RunReport report = m_runs.resume(run, checkpoint);
    QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  }
  const auto rest = stepLosses(m_runs.path(run), 3);
  QVERIFY(!rest.empty() && std::equal(rest.rbegin(), rest.rend(), whole.rbegin()));
  StoredRunRequest request;
  request.runPath = m_runs.path(run);
  QVERIFY(openStoredRun(request).ok());
  fs::remove_all(m_runs.path("new.fathom/data"));
  const RunReport lost = m_runs.resume(run, "0001-00000010");
  QCOMPARE(lost.code, ExitCode::BadInput);
  QVERIFY2(lost.error.text().find("data/train.tsv") != std::string::npos, lost.error.text().c_str());
}

void TestTrainingRun::averagesAndTranslates() {
  QCOMPARE(m_runs.train("averaged").code, ExitCode::Finished);
  const AverageReport average = averageCheckpoints({m_runs.path("averaged"), 3, -1, false, ""}).value();
  QCOMPARE(average.names.size(), std::size_t{3});
  QVERIFY(average.enough);
  QVERIFY(!averageCheckpoints({m_runs.path("averaged"), 30, -1, false, m_runs.path("all")}).value().enough);
  // Nothing that exists is written into, least of all the run.
  for (const char* there : {"all", "averaged"}) {
    const auto refused = averageCheckpoints({m_runs.path("averaged"), 3, -1, false, m_runs.path(there)});
    QVERIFY(!refused.ok() && refused.error().message.find("exists already") != std::string::npos);
  }
  // By itself it is made again.
  QCOMPARE(averageCheckpoints({m_runs.path("averaged"), 3, -1, false, ""}).value().path, average.path);
  const auto early = averageCheckpoints({m_runs.path("averaged"), 3, 1, false, ""});
  QVERIFY(!early.ok());
  QVERIFY2(early.error().text().find("no checkpoint to average up to update 1 (there are: 0001-00000005") !=
               std::string::npos,
           early.error().text().c_str());
  StoredRunRequest request;
  request.runPath = m_runs.path("averaged");
  request.checkpoint = average.path;
  request.inputOnly = true;
  const StoredRun stored = openStoredRun(request).value();
  const std::vector<std::string> lines = {"drei", "", "zweiundvierzig"};
  std::size_t outputs = 0;
  const std::vector<HostBatch> batches = stored.parts.task->batchesFromText(lines).value();
  for (const HostBatch& batch : batches) {
    outputs += stored.parts.objective
                   ->predict(*stored.parts.model, toDevice(batch, stored.parts.device), "predict", {})
                   .size();
  }
  QVERIFY(outputs >= 2);
}

QTEST_GUILESS_MAIN(TestTrainingRun)
#include "tst_training_run.moc"
