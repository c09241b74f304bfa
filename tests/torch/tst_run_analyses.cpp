// SPDX-License-Identifier: Apache-2.0
// Analyses while a run is trained: they change nothing in it, and give what a probe of the same state gives.
#include <QTest>
#include <cmath>
#include <filesystem>

#include "core/analysis/norms/epoch_norm.h"
#include "core/analysis/training/over_training.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/run_analyses.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/record/results/analysis_store.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_stored_analyses.h"

using namespace fathom;
using namespace fathom::test;

namespace {

const std::vector<std::string> kAll = {"attention_entropy", "attention_jsd", "beta_dependency",
                                       "gradient_norm"};

std::vector<std::string> scheduled(const std::vector<std::string>& more = {}) {
  std::vector<std::string> options = {
      "encoder.layers=2", "analysis.interval=5u", "analysis.examples=20", "analysis.epoch_norms=true",
      "analysis.ids=attention_entropy,attention_jsd,beta_dependency,gradient_norm"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

std::vector<StoredAnalysis> stored(const std::string& run, const std::string& analysis) {
  return listAnalyses(RunFolder(run).analysesPath(), analysis);
}

}  // namespace

class TestRunAnalyses : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void theTrainingIsTheSameBits();
  void everyIntervalAndBothEnds();
  void equalToTheProbeOfACheckpoint();
  void examplesAreExact();
  void statesWithoutCheckpointHaveAnalyses();
  void failuresAreWarnings();
  void unknownAnalysesAreRefused();
  void updateNormsAreDifferencesOfWeights();
  void resumedRunsGoOn();
  void epochsKnowTheirBeginningWhenResumed();
  void coursesFollowTheLayers();

 private:
  RunReport train(const std::string& name, const std::vector<std::string>& options) {
    RunAnalyses analyses;
    return m_runs.train(name, options, nullptr, &analyses);
  }
  std::string watched() const { return m_runs.path("watched"); }
  TinyRuns m_runs;
};

void TestRunAnalyses::initTestCase() {
  const RunReport report = train("watched", scheduled({"checkpoint.interval=10u"}));
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
}

void TestRunAnalyses::theTrainingIsTheSameBits() {
  QCOMPARE(m_runs.train("plain", {"encoder.layers=2", "checkpoint.interval=10u"}).code, ExitCode::Finished);
  const auto losses = stepLosses(m_runs.path("plain"), 1);
  QCOMPARE(losses.size(), std::size_t{20});
  QVERIFY(losses == stepLosses(watched(), 1));
  const auto weights = [&](const std::string& run) {
    return readTensors(run + "/checkpoints/0001-00000020/model.safetensors").value();
  };
  const auto one = weights(m_runs.path("plain")), other = weights(watched());
  QCOMPARE(one.size(), other.size());
  for (const auto& [name, tensor] : one) QVERIFY2(tensor.equal(other.at(name)), name.c_str());
}

void TestRunAnalyses::everyIntervalAndBothEnds() {
  for (const std::string& analysis : kAll) {
    std::vector<std::string> names;
    for (const StoredAnalysis& one : stored(watched(), analysis)) names.push_back(one.request.checkpoint);
    std::sort(names.begin(), names.end());
    const std::vector<std::string> wanted = {"0001-00000005", "0001-00000010", "0001-00000015",
                                             "0001-00000020", "init"};
    QCOMPARE(names, wanted);
  }
  const auto events = eventsOfKind(watched(), 1, "array");
  std::size_t followed = 0;
  for (const Json& event : events) {
    QVERIFY(event.at("seconds").get<double>() >= 0);
    QVERIFY(
        std::filesystem::exists(watched() + "/" + event.at("folder").get<std::string>() + "/result.json"));
    followed += event.at("analysis").get<std::string>() != "epoch_norm" ? 1 : 0;
  }
  QCOMPARE(followed, 5 * kAll.size());
  const auto finished = eventsOfKind(watched(), 1, "run_finished");
  QVERIFY(finished.at(0).at("analysis_seconds").get<double>() > 0);
}

// Also the very same request: the probe finds what the training left.
void TestRunAnalyses::equalToTheProbeOfACheckpoint() {
  for (const std::string& analysis : kAll) {
    for (const char* checkpoint : {"init", "0001-00000010", "0001-00000020"}) {
      const QTemporaryDir fresh;
      ProbeVerb verb;
      verb.run = watched();
      verb.analysis = analysis;
      verb.checkpoint = checkpoint;
      if (analysis.starts_with("attention_") || analysis == "input_norm") verb.assignments = {"examples=20"};
      verb.out = fresh.path().toStdString();
      QCOMPARE(probeVerb(verb), ExitCode::Finished);
      const StoredAnalysis probed = listAnalyses(verb.out, analysis).at(0);
      const auto known = findAnalysis(RunFolder(watched()).analysesPath(), probed.request).value();
      QVERIFY2(known.has_value(), (analysis + " " + checkpoint).c_str());
      QVERIFY2(known->result == probed.result, (analysis + " " + checkpoint).c_str());
    }
  }
}

// Neither more nor fewer, in the middle of a batch too.
void TestRunAnalyses::examplesAreExact() {
  for (const std::int64_t wanted : {1, 7, 13, 30}) {
    const QTemporaryDir fresh;
    ProbeVerb verb;
    verb.run = watched();
    verb.analysis = "attention_entropy";
    verb.assignments = {"examples=" + std::to_string(wanted)};
    verb.out = fresh.path().toStdString();
    QCOMPARE(probeVerb(verb), ExitCode::Finished);
    const StoredAnalysis probed = listAnalyses(verb.out, verb.analysis).at(0);
    QCOMPARE(probed.result.at("examples").get<std::int64_t>(), wanted);
  }
}

void TestRunAnalyses::statesWithoutCheckpointHaveAnalyses() {
  QVERIFY(!std::filesystem::exists(watched() + "/checkpoints/0001-00000015"));
  for (const StoredAnalysis& one : stored(watched(), "beta_dependency"))
    QCOMPARE(one.request.checkpointHash.empty(), one.request.checkpoint == "init" ||
                                                     one.request.checkpoint == "0001-00000005" ||
                                                     one.request.checkpoint == "0001-00000015");
}

// One layer has no divergence: the run does not mind and says so once.
void TestRunAnalyses::failuresAreWarnings() {
  const RunReport report = train("shallow", {"analysis.interval=5u", "analysis.ids=attention_jsd"});
  QCOMPARE(report.code, ExitCode::Finished);
  QCOMPARE(stored(m_runs.path("shallow"), "attention_jsd").size(), std::size_t{0});
  const auto warnings = eventsOfKind(m_runs.path("shallow"), 1, "warning");
  QCOMPARE(warnings.size(), std::size_t{1});
  const std::string text = warnings[0].at("message").get<std::string>();
  QVERIFY2(text.find("attention_jsd at update 0") != std::string::npos, text.c_str());
  QVERIFY(text.find("two layers") != std::string::npos);
}

void TestRunAnalyses::unknownAnalysesAreRefused() {
  const RunReport report = train("unknown", {"analysis.interval=5u", "analysis.ids=attention_entrop"});
  QCOMPARE(report.code, ExitCode::BadInput);
  QVERIFY(report.error.text().find("analysis.ids") != std::string::npos);
  QVERIFY(report.error.text().find("attention_entropy") != std::string::npos);
  QVERIFY(eventsOfKind(m_runs.path("unknown"), 1, "step").empty());
  const RunReport initial = train("initial", {"analysis.interval=5u", "analysis.ids=output_shift"});
  QCOMPARE(initial.code, ExitCode::BadInput);
  QVERIFY(initial.error.text().find("before the first update") != std::string::npos);
}

void TestRunAnalyses::updateNormsAreDifferencesOfWeights() {
  QCOMPARE(train("epochs", {"analysis.epoch_norms=true", "training.length=3e", "checkpoint.interval=1e",
                            "encoder.layers=2"})
               .code,
           ExitCode::Finished);
  const auto all = stored(m_runs.path("epochs"), "epoch_norm");
  QCOMPARE(all.size(), std::size_t{4});
  const auto manifests = listCheckpoints(m_runs.path("epochs"));
  QCOMPARE(manifests.size(), std::size_t{3});
  const char* name = "encoder.layers.1.self_attention.value.weight";
  for (std::size_t epoch = 2; epoch <= 3; ++epoch) {
    const auto now = readTensors(manifests[epoch - 1].path + "/model.safetensors").value();
    const auto before = readTensors(manifests[epoch - 2].path + "/model.safetensors").value();
    const double expected =
        (now.at(name).to(torch::kFloat64) - before.at(name).to(torch::kFloat64)).norm().item<double>();
    bool found = false;
    for (const StoredAnalysis& one : all) {
      const EpochNorms norms = epochNormsFromJson(one.result).value();
      if (norms.epoch != static_cast<std::int64_t>(epoch)) continue;
      for (const MatrixNorm& norm : norms.matrices) {
        QVERIFY(norm.gradient > 0);
        if (norm.stack != "encoder" || norm.layer != 1 || norm.matrix != "value") continue;
        QVERIFY(std::abs(norm.update - expected) <= 1e-12 * expected);
        found = true;
      }
    }
    QVERIFY(found);
  }
}

// A run resumed at an epoch's end knows its weights; the same norms come again.
void TestRunAnalyses::resumedRunsGoOn() {
  const std::string run = m_runs.path("epochs");
  const auto manifests = listCheckpoints(run);
  const auto before = stored(run, "epoch_norm");
  RunAnalyses analyses;
  QCOMPARE(m_runs.resume("epochs", manifests.at(1).name, &analyses).code, ExitCode::Finished);
  const auto after = stored(run, "epoch_norm");
  QCOMPARE(after.size(), before.size() + 1);
  const auto ofLast = [](const std::vector<StoredAnalysis>& list, const std::string& attempt) {
    for (const StoredAnalysis& one : list)
      if (one.result.at("epoch") == 3 && one.request.checkpoint.starts_with(attempt)) return one.result;
    return Json();
  };
  QVERIFY(!ofLast(after, "0002").is_null());
  QVERIFY(ofLast(after, "0002") == ofLast(before, "0001"));
}

// Resumed inside an epoch: its update norm is that of the run that did not stop.
void TestRunAnalyses::epochsKnowTheirBeginningWhenResumed() {
  QCOMPARE(train("inside", {"analysis.epoch_norms=true", "training.length=2e", "checkpoint.interval=3u",
                            "checkpoint.keep_last=100"})
               .code,
           ExitCode::Finished);
  const std::string run = m_runs.path("inside");
  std::string inside;
  for (const CheckpointManifest& manifest : listCheckpoints(run))
    if (!manifest.details.value("end_of_epoch", true) && manifest.details.value("epochs", 0) == 1)
      inside = manifest.name;
  QVERIFY(!inside.empty());
  const auto ofEpoch = [&run](int epoch, const std::string& attempt) {
    for (const StoredAnalysis& one : stored(run, "epoch_norm"))
      if (one.result.at("epoch") == epoch && one.request.checkpoint.starts_with(attempt)) return one.result;
    return Json();
  };
  RunAnalyses analyses;
  QCOMPARE(m_runs.resume("inside", inside, &analyses).code, ExitCode::Finished);
  const Json again = ofEpoch(2, "0002");
  QVERIFY(!again.is_null());
  QVERIFY(again == ofEpoch(2, "0001"));
  for (const MatrixNorm& norm : epochNormsFromJson(again).value().matrices) QVERIFY(norm.update > 0);
}

void TestRunAnalyses::coursesFollowTheLayers() {
  std::vector<AnalysedState> states;
  for (const StoredAnalysis& one : stored(watched(), "attention_jsd"))
    states.push_back({checkpointStep(one.request.checkpoint).value_or(-1), one.result});
  const auto courses = overTraining("attention_jsd", states, true).value();
  QCOMPARE(courses.size(), std::size_t{1});  // only the encoder has two layers
  QCOMPARE(courses[0].part, std::string("encoder.self_attention"));
  QCOMPARE(courses[0].layer, 1);
  QCOMPARE(courses[0].values.size(), states.size());
  QVERIFY(!overTraining("epoch_norm", {}, true).ok());
}

QTEST_GUILESS_MAIN(TestRunAnalyses)
#include "tst_run_analyses.moc"
