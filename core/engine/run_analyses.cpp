// SPDX-License-Identifier: Apache-2.0
#include "core/engine/run_analyses.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/error_words.h"
#include "core/base/files/one_folder.h"
#include "core/engine/probe_subject.h"
#include "core/probe/attention_probe.h"
#include "core/probe/matrix_norms.h"
#include "core/record/runs/run_folder.h"
#include "core/train/loop/training_run.h"
#include "core/train/parts/exception_error.h"

namespace fathom {

namespace {

constexpr const char* kEpochNorm = "epoch_norm";

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

AnalysisRequest requestOf(const RunMoment& moment, const std::string& analysis) {
  AnalysisRequest request;
  request.analysis = analysis;
  request.version = probeVersion(analysis);
  request.checkpoint = moment.checkpoint;
  request.checkpointHash = moment.checkpointHash;
  return request;
}

// Computes and stores one result; whatever goes wrong, out of memory included, becomes the report's error.
AnalysisReport report(const RunMoment& moment, const AnalysisRequest& request,
                      const std::function<Result<Json>()>& compute) {
  AnalysisReport report;
  report.analysis = request.analysis;
  report.folder = "analyses/" + request.analysis + "/" + request.key();
  const double started = secondsNow();
  try {
    const std::string root = RunFolder(moment.runPath).analysesPath();
    const auto known = findAnalysis(root, request);
    if (!known.ok() || !*known) {
      const Json result = compute().value();
      makeOneFolder(root).value();
      storeAnalysis(root, request, result).value();
    }
  } catch (...) {
    report.error = currentExceptionError();
  }
  report.seconds = secondsNow() - started;
  return report;
}

AnalysisRequest scheduledRequest(const RunMoment& moment, const ProbeEntry& entry,
                                 const OptionValues& options) {
  AnalysisRequest request = requestOf(moment, entry.id);
  request.split = entry.part;
  request.options = analysisOptions(options);
  return request;
}

// With it, those of `ids` that the same pass gives: they are found then.
AnalysisReport probe(const RunMoment& moment, const std::string& id, const std::vector<std::string>& ids) {
  const ProbeEntry entry = findProbe(id).value();
  OptionValues options{OptionSchema(entry.fields, {})};
  if (options.schema().find("examples") != nullptr)
    options.set("examples", moment.options.integer("analysis.examples")).value();
  return report(moment, scheduledRequest(moment, entry, options), [&]() -> Result<Json> {
    const ProbeData data{entry.part, chosenExamples(options), sampleSeed(options)};
    ProbeSubject subject = probeSubject(moment.run, moment.options, data, moment.progress, moment.stop);
    subject.initialisation = recordedInitialisation(moment.runPath);
    std::vector<std::string> wanted = {id};
    for (const std::string& other : entry.together)
      if (other != id && std::find(ids.begin(), ids.end(), other) != ids.end()) wanted.push_back(other);
    const std::vector<Result<Json>> results = runProbe(entry, subject, options, wanted);
    for (std::size_t i = 1; i < results.size(); ++i) {
      if (!results[i].ok()) continue;  // it says why when it is its turn
      const AnalysisRequest request = scheduledRequest(moment, findProbe(wanted[i]).value(), options);
      makeOneFolder(RunFolder(moment.runPath).analysesPath()).value();
      storeAnalysis(RunFolder(moment.runPath).analysesPath(), request, *results[i]).value();
    }
    return results.front();
  });
}

void addPulse(const AttentionProbe& probe, bool entropies, AttentionPulse& pulse) {
  pulse.largestLogit = std::numeric_limits<double>::quiet_NaN();
  for (const AttentionStatistics& statistics : probe.statistics()) {
    for (const auto& heads : statistics.logits)
      for (const ValueHistogram& head : heads)
        pulse.largestLogit = std::fmax(pulse.largestLogit, head.summary().fiveNumbers[4]);
    for (std::size_t layer = 0; entropies && layer < statistics.entropyNats.size(); ++layer) {
      double sum = 0;
      for (const ValueHistogram& head : statistics.entropyNats[layer]) sum += head.summary().mean;
      pulse.layers.push_back({std::string(stackName(statistics.stack)) + "." + sublayerName(statistics.kind),
                              static_cast<int>(layer),
                              sum / static_cast<double>(statistics.entropyNats[layer].size())});
    }
  }
}

std::string keptName(std::size_t index) {
  return "epoch_start." + std::to_string(index);
}

// Matrices at the beginning of the epoch that goes on; empty where the checkpoint does not hold all of them.
std::vector<torch::Tensor> keptMatrices(const RunMoment& moment) {
  std::vector<torch::Tensor> now = attentionMatrices(*moment.run.model), kept;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto found = moment.kept.find(keptName(i));
    if (found == moment.kept.end() || found->second.sizes() != now[i].sizes()) return {};
    kept.push_back(found->second.to(torch::kFloat64));
  }
  return kept;
}

}  // namespace

Status RunAnalyses::begin(const RunMoment& moment) {
  m_before.clear();
  if (moment.options.flag("analysis.epoch_norms"))
    m_before = moment.epochStarts ? attentionMatrices(*moment.run.model) : keptMatrices(moment);
  if (moment.options.time("analysis.interval").never()) return {};
  for (const std::string& id : moment.options.texts("analysis.ids")) {
    const auto known = findProbe(id);
    Error error = known.ok()
                      ? usageError(Phrase::tr("%1 builds its nets as they are before the first update")(id),
                                   Phrase::tr("compute it: fathom analyse %1 --project DIR --run RUN")(id))
                      : known.error();
    if (known.ok() && !known->initialOnly) continue;
    error.key = "analysis.ids";
    return withMessage(error, Phrase::tr("option '%1': %2")(error.key, error.messagePhrase()));
  }
  return {};
}

std::vector<AnalysisReport> RunAnalyses::scheduled(const RunMoment& moment) {
  std::vector<AnalysisReport> reports;
  const std::vector<std::string> ids = moment.options.texts("analysis.ids");
  for (const std::string& id : ids) {
    if (moment.stop.stopRequested()) break;
    reports.push_back(probe(moment, id, ids));
  }
  return reports;
}

AttentionPulse RunAnalyses::pulse(const RunMoment& moment, bool entropies) {
  AttentionPulse pulse;
  const double started = secondsNow();
  try {
    const ProbeSubject subject = probeSubject(moment.run, moment.options, {}, nullptr, moment.stop);
    checkProbeExamples(subject).value();
    AttentionProbe probe(subject.longest, {.entropies = entropies, .divergences = false, .logits = true});
    const ProbeBatch batch = subject.batch(0);
    probe.setMasks(batch.realTokens);
    probe.run(batch.forward, {.seed = subject.seed});
    if (probe.statistics().empty())
      throw Failure(dataError(Phrase::tr("the model has no attention to look at")));
    addPulse(probe, entropies, pulse);
  } catch (...) {
    pulse.error = currentExceptionError();
  }
  pulse.seconds = secondsNow() - started;
  return pulse;
}

// Doubles: exact for every precision that weights come in.
std::vector<std::pair<std::string, torch::Tensor>> RunAnalyses::keep() const {
  std::vector<std::pair<std::string, torch::Tensor>> kept;
  for (std::size_t i = 0; i < m_before.size(); ++i) kept.emplace_back(keptName(i), m_before[i]);
  return kept;
}

std::vector<AnalysisReport> RunAnalyses::epochEnded(const RunMoment& moment) {
  AnalysisRequest request = requestOf(moment, kEpochNorm);
  request.split = dataSplitName(DataSplit::Train);
  AnalysisReport made = report(moment, request, [&]() -> Result<Json> {
    const ProbeSubject subject =
        probeSubject(moment.run, moment.options, {.part = request.split}, moment.progress, moment.stop);
    FATHOM_CHECK(checkProbeExamples(subject));
    std::vector<BatchLoss> losses;
    forProbeBatches(subject, "going backward",
                    [&](const ProbeBatch& batch) { losses.push_back(batch.loss); });
    EpochNorms norms;
    norms.epoch = moment.epochs;
    // The first state has nothing before it.
    const std::vector<torch::Tensor> before = moment.epochs == 0 ? std::vector<torch::Tensor>() : m_before;
    norms.matrices = matrixNorms(*moment.run.model, losses, {.seed = subject.seed}, before);
    if (norms.matrices.empty()) return dataError(Phrase::tr("the model has no attention to follow"));
    return withSample(epochNormsToJson(norms), subject);
  });
  m_before = attentionMatrices(*moment.run.model);
  return {made};
}

}  // namespace fathom
