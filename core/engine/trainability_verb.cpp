// SPDX-License-Identifier: Apache-2.0
// trainability: a model at its initial weights, and whether it will learn.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>

#include "core/engine/engine_verbs.h"
#include "core/engine/probe_progress.h"
#include "core/engine/probe_subject.h"
#include "core/engine/temporary_folder.h"
#include "core/optim/lr_schedule.h"
#include "core/probe/trainability_probe.h"
#include "core/tasks/nmt/nmt_sample.h"
#include "core/train/control_queue.h"
#include "core/train/run_options.h"
#include "core/train/training_loop.h"

namespace fathom {

namespace {

constexpr const char* kSplit = "train";
constexpr std::int64_t kBatchTokens = 1024;  // enough for every number, and seconds for a large model
constexpr NmtSampleSizes kSampleSizes{2000, 100, 100};

struct Checked {
  TrainabilityFacts facts;
  std::string note;
};

// The most that batches of these options may hold of the option `key`, -1 where the task has no such option.
std::int64_t affordable(const OptionValues& options, const std::string& key) {
  if (options.schema().find(key) == nullptr || !options.active(key)) return -1;
  if (key == "batch.max_tokens") return kBatchTokens;
  return std::max<std::int64_t>(1, kBatchTokens / options.integer("mlm.max_length"));
}

// Makes batches as large as a check can afford. How many times smaller they became.
double limitBatches(OptionValues& options, std::string& note) {
  for (const char* key : {"batch.max_tokens", "batch.sequences"}) {
    const std::int64_t most = affordable(options, key);
    if (most < 0 || options.integer(key) <= most) continue;
    const double asked = static_cast<double>(options.integer(key));
    options.set(key, most).value();
    note += (note.empty() ? "" : " ") + std::string("Measured on a batch of at most 1024 tokens.");
    return asked / static_cast<double>(most);
  }
  return 1;
}

Status useSample(OptionValues& options, const std::string& folder, std::string& note) {
  if (options.text("task") != "nmt")
    return usageError("the check looks at a batch of the training data, and there is none",
                      "set data.train to a file");
  FATHOM_CHECK(writeNmtSample(folder, 1, kSampleSizes));
  for (const char* part : {"train", "validation", "test"})
    FATHOM_CHECK(options.set(std::string("data.") + part, folder + "/" + part + ".tsv"));
  FATHOM_CHECK(options.set("data.vocabulary.size", 300));
  note = "No data are set: measured on the generated sample, with a vocabulary of 300 pieces.";
  return {};
}

Status fillRates(TrainabilityFacts& facts, const OptionValues& options, std::int64_t updates) {
  FATHOM_TRY(const LrScheduleSettings schedule, lrScheduleSettings(options, updates));
  facts.updates = updates;
  for (std::int64_t update = 0; update < updates; ++update) {
    const double rate = learningRate(schedule, update);
    facts.peakRate = std::max(facts.peakRate, rate);
    facts.summedRate += rate;
  }
  return {};
}

// Of the same examples as the rest.
void fillLoss(TrainabilityFacts& facts, const RunParts& parts, std::uint64_t seed) {
  const torch::NoGradGuard noGradients;
  StepContext context;
  context.seed = seed;
  const ExampleSample sample = sampleExamples(*parts.task, DataSplit::Train, kBatchOfExamples);
  const DeviceBatch batch = toDevice(parts.task->makeBatchOf(sample.split, sample.examples), parts.device);
  const LossTerms terms = parts.objective->forward(*parts.model, batch, context);
  const LossSum& nll = terms.sums.front();
  facts.loss = nll.sum.item<double>() / std::max(nll.count, 1.0);
  facts.ignorantLoss = parts.objective->ignorantNll();
}

Result<Checked> check(const TrainabilityVerb& verb, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const RunConfig config, readConfigOrPreset(verb.config));
  FATHOM_TRY(OptionValues options, runOptions(config, verb.config, verb.assignments));
  Checked checked;
  std::unique_ptr<TemporaryFolder> folder;
  if (options.text("data.train").empty()) {
    folder = std::make_unique<TemporaryFolder>();
    FATHOM_CHECK(useSample(options, folder->path(), checked.note));
  }
  RunPartsRequest request;
  request.device = options.text("device");
  request.setup.seed = static_cast<std::uint64_t>(options.integer("seed"));
  request.setup.progress = &progress;
  request.setup.stop = stop;
  progress.begin("reading the data", "", -1);
  const TrainSettings settings = trainSettings(options);
  const double smaller = limitBatches(options, checked.note);
  FATHOM_TRY(RunParts parts, makeRunParts(options, request));
  std::int64_t updates = plannedUpdatesOf(*parts.task, settings);
  // An epoch has about as many batches less as they are larger; the data are not read a second time for it.
  if (settings.length.unit != TrainingTime::Unit::Updates)
    updates = std::max<std::int64_t>(1, std::llround(static_cast<double>(updates) / smaller));
  progress.begin("initial values", "", -1);
  FATHOM_TRY(const Json report, initialiseParts(parts, options, false));
  const ProbeSubject subject = probeSubject(parts, options, {kSplit}, &progress, stop);
  const Activation activation = activationFromId(options.text("model.activation"));
  FATHOM_TRY(checked.facts, measureTrainability(subject, activation));
  checked.facts.init = options.text("init");
  fillLoss(checked.facts, parts, request.setup.seed);
  FATHOM_CHECK(fillRates(checked.facts, options, updates));
  return checked;
}

std::string wordsOf(const TrainabilityFacts& facts, const TrainabilityVerdict& verdict,
                    const std::string& note) {
  std::string text = "verdict: " + std::string(trainabilityName(verdict.verdict)) + "\n";
  for (const TrainabilityCheck& one : verdict.checks) {
    text += std::string(one.verdict == Trainability::Green ? "  fine: " : "  bad:  ") + one.reason + "\n";
    if (!one.remedies.empty()) text += "        would help: " + one.change() + "\n";
  }
  for (const StackCheck& stack : facts.stacks) {
    char line[200];
    std::snprintf(line, sizeof line,
                  "%s (%s, %lld layers): mu %.4g, scale in %.4g, out %.4g, predicted %.4g\n",
                  stack.stack.c_str(), stack.residual.c_str(), static_cast<long long>(stack.layers), stack.mu,
                  stack.inputScale, stack.measured.back(), stack.predicted.back());
    text += line;
  }
  return note.empty() ? text : text + note + "\n";
}

}  // namespace

ExitCode trainabilityVerb(const TrainabilityVerb& verb) {
  const auto begin = std::chrono::steady_clock::now();
  const auto control = ControlQueue::open({"", "", false, true}).value();
  ProbeProgress shown(verb.progressLines);
  const Checked checked = check(verb, shown.progress, control->stop()).value();
  const TrainabilityVerdict verdict = judgeTrainability(checked.facts);
  shown.clear();
  if (!verb.json) {
    std::cout << wordsOf(checked.facts, verdict, checked.note) << std::flush;
    return ExitCode::Finished;
  }
  Json json = trainabilityToJson(checked.facts, verdict);
  json["format"] = 1;
  json["note"] = checked.note;
  json["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::cout << json.dump() << std::endl;
  return ExitCode::Finished;
}

}  // namespace fathom
