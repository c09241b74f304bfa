// SPDX-License-Identifier: Apache-2.0
// trainability: a model at its initial weights, and whether it will learn.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/temporary_folder.h"
#include "core/base/json/json_text.h"
#include "core/base/json/phrase_json.h"
#include "core/base/options/named_files.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/probe_progress.h"
#include "core/engine/probe_subject.h"
#include "core/optim/lr_schedule.h"
#include "core/optim/rate_groups.h"
#include "core/probe/trainability_probe.h"
#include "core/train/loop/control_queue.h"
#include "core/train/loop/training_loop.h"
#include "core/train/parts/run_options.h"

namespace fathom {

namespace {

constexpr const char* kSplit = wordOf(kDataSplits, DataSplit::Train);
// Tokens of a batch: enough for every number. A large model takes as many as one pass through its layers may
// cost in multiplications, so that two cores answer within a minute; the pass for DT-Fixup's µ may cost four
// times that.
constexpr std::int64_t kBatchTokens = 1024, kFewestTokens = 128, kFewestMuBatches = 4;
constexpr double kPassWork = 1.5e11, kMuWork = 4 * kPassWork;
constexpr const char* kMuBatches = "init.dt_fixup.mu_batches";
// Length of an epoch that is not known: so many updates that the rate's rise is not cut short.
constexpr std::int64_t kLongRun = 10'000'000;

struct Checked {
  TrainabilityFacts facts;
  std::vector<Phrase> notes;
  bool ownData = true;
  Json sample, muSample;  // which examples, and which batches of µ's pass; null: none, or all of them
};

// Upper bounds of what a pass may cost, for one model.
struct Affordable {
  std::int64_t tokens = kBatchTokens, muBatches = kFewestMuBatches;
};

Result<Affordable> affordable(const OptionValues& options) {
  // Tables are looked up: what they hold costs nothing.
  FATHOM_TRY(const ParameterCount count, parameterCount(options, ModelInputs::ofVocabulary(1000)));
  const auto weights = static_cast<double>(std::max<std::int64_t>(1, count.total - count.embeddings));
  Affordable most;
  most.tokens = std::clamp(std::llround(kPassWork / weights), static_cast<long long>(kFewestTokens),
                           static_cast<long long>(kBatchTokens));
  const double batch = weights * static_cast<double>(most.tokens);
  most.muBatches = std::max<std::int64_t>(kFewestMuBatches, std::llround(kMuWork / batch));
  return most;
}

// Makes batches, and generated examples, as large as a check can afford. How many times smaller batches
// became.
double limitBatches(OptionValues& options, const TaskEntry& task, const Affordable& affordable,
                    Checked& checked) {
  for (const BatchKey& batch : task.batch) {
    if (!options.active(batch.key)) continue;
    const bool counted = !batch.tokens.empty();
    const bool shorter = counted && !checked.ownData && options.integer(batch.tokens) > affordable.tokens;
    if (shorter) options.set(batch.tokens, affordable.tokens).value();
    const std::int64_t tokens = counted ? std::max<std::int64_t>(1, options.integer(batch.tokens)) : 1;
    const std::int64_t most = std::max<std::int64_t>(1, affordable.tokens / tokens);
    if (options.integer(batch.key) <= most) continue;
    const double asked = static_cast<double>(options.integer(batch.key));
    options.set(batch.key, most).value();
    checked.notes.push_back(
        Phrase::tr("Measured on a batch of at most %1 tokens.")(std::max(affordable.tokens, tokens)));
    return asked / static_cast<double>(most);
  }
  return 1;
}

// DT-Fixup measures µ on all training batches: of many that are dear it gets the first ones of a seeded
// order, and the result says so.
void limitMuPass(OptionValues& options, const Task& task, const Affordable& affordable, Checked& checked) {
  if (!options.active(kMuBatches)) return;
  const std::int64_t all = task.batchCount(DataSplit::Train), asked = options.integer(kMuBatches);
  if ((asked > 0 ? std::min(asked, all) : all) <= affordable.muBatches) return;
  const std::int64_t seed = options.integer("seed");
  options.set(kMuBatches, affordable.muBatches).value();
  checked.muSample = {
      {"part", kSplit}, {"batches", affordable.muBatches}, {"of", all}, {"chosen", "random"}, {"seed", seed}};
  checked.notes.push_back(
      Phrase::tr("DT-Fixup's input norm µ is that of %1 of %2 training batches, drawn at random (seed %3).")(
          affordable.muBatches, all, seed));
}

// Layers above an encoder are for one that has learned: without its weights another one is looked at.
void noteRandomEncoder(const OptionValues& options, const Model& model, std::vector<Phrase>& notes) {
  const std::vector<StackDescription> stacks = model.stacks();
  const bool above = std::any_of(stacks.begin(), stacks.end(), [](const StackDescription& stack) {
    return stack.kind == StackKind::Extra;
  });
  const std::vector<std::string> weights = weightsKeys(options.schema());
  const auto chosen = std::find_if(weights.begin(), weights.end(),
                                   [&](const std::string& key) { return options.active(key); });
  if (above && chosen != weights.end() && namedWeights(options).empty())
    notes.push_back(
        Phrase::tr("No pre-trained weights are named (%1): the encoder has its random initial "
                   "values, and what it gives the layers above is as random.")(*chosen));
}

// Whatever the options say about how data are read: the sample has a form of its own.
Status useSample(OptionValues& options, const TaskEntry& task, const std::string& folder,
                 std::vector<Phrase>& notes) {
  if (task.madeData.write == nullptr) {
    return aboutKey(task.data.train,
                    usageError(Phrase::tr("task '%1' has no made data, and no data are named")(task.id),
                               Phrase::tr("set %1 to a file")(task.data.train)));
  }
  FATHOM_TRY(const MadeData made, task.madeData.write(folder, 1, MadeDataSize::Check));
  for (const auto& [key, value] : made.options.items()) FATHOM_CHECK(options.set(key, value));
  FATHOM_CHECK(options.check());
  notes.push_back(
      Phrase::tr("No data are set: measured on made data, with a vocabulary of %1 pieces.")(made.pieces));
  return {};
}

// The updates of the whole run when its batches are `smaller` times as large as the task's; -1 where that
// hangs on data that are not there.
std::int64_t plannedUpdates(const Task& task, const TrainSettings& settings, double smaller, bool ownData) {
  const TrainingTime::Unit unit = settings.length.unit;
  if (unit == TrainingTime::Unit::Updates || (ownData && smaller == 1))
    return plannedUpdatesOf(task, settings);
  const std::int64_t batches = task.batchCount(DataSplit::Train);
  const double updateBatches = smaller * static_cast<double>(settings.accumulation);  // of the task's
  double updates = 0;
  if (unit == TrainingTime::Unit::Epochs) {
    if (!ownData) return -1;
    // An epoch has about as many batches less as they are larger; the data are not read a second time for it.
    updates = settings.length.amount * std::max(1.0, static_cast<double>(batches) / updateBatches);
  } else {
    double tokens = 0;
    for (std::int64_t i = 0; i < batches; ++i)
      tokens += static_cast<double>(task.batchTargetUnits(DataSplit::Train, i));
    updates = settings.length.amount * static_cast<double>(batches) / (std::max(tokens, 1.0) * updateBatches);
  }
  return std::max<std::int64_t>(1, std::llround(updates));
}

// `updates` as plannedUpdates() gives them.
Status fillRates(TrainabilityFacts& facts, const OptionValues& options, std::int64_t updates) {
  const bool known = updates >= 0;
  FATHOM_TRY(const LrScheduleSettings schedule, lrScheduleSettings(options, known ? updates : kLongRun));
  facts.updates = updates;
  facts.summedRate = known ? 0 : std::nan("");
  // A rate has its peak where the warm-up ends.
  const std::int64_t shown = known ? updates : std::llround(schedule.warmup) + 1;
  for (std::int64_t update = 0; update < shown; ++update) {
    const double rate = learningRate(schedule, update);
    facts.peakRate = std::max(facts.peakRate, rate);
    facts.summedRate += rate;
  }
  return {};
}

// Fills in the share of the learning rate at which the layers of each stack learn, by the groups of the
// optimiser; 0: they do not learn.
Status fillRateShares(TrainabilityFacts& facts, const OptionValues& options, const ParameterStore& store) {
  std::vector<OptimizerParameter> learning;
  for (const Leaf& leaf : store.leaves())
    if (leaf.tensor.requires_grad()) learning.push_back({.name = leaf.name, .tensor = leaf.tensor});
  FATHOM_CHECK(applyRateGroups(options.texts("optimizer.rate_groups"), learning));
  std::map<std::string, double> shares;
  for (const OptimizerParameter& one : learning) shares[one.name] = one.rateFactor;
  std::map<std::string, double> ofStack;
  for (const Parameter& parameter : store.parameters()) {
    const auto share = shares.find(store.leaves()[parameter.leaf].name);
    if (parameter.info.layer < 0 || share == shares.end()) continue;
    double& largest = ofStack[stackName(parameter.info.stack)];
    largest = std::max(largest, share->second);
  }
  for (StackCheck& stack : facts.stacks) stack.rateShare = ofStack[stack.stack];
  return {};
}

// Fills in the loss on the same examples as the rest.
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
  const TaskEntry* task = taskOf(options);
  if (task != nullptr && !task->data.train.empty() && options.text(task->data.train).empty()) {
    folder = std::make_unique<TemporaryFolder>();
    checked.ownData = false;
    FATHOM_CHECK(useSample(options, *task, folder->path(), checked.notes));
  }
  RunPartsRequest request;
  request.device = options.text("device");
  request.setup.seed = static_cast<std::uint64_t>(options.integer("seed"));
  request.setup.progress = &progress;
  request.setup.stop = stop;
  progress.begin(Phrase::tr("reading the data").english, "", -1);
  const TrainSettings settings = trainSettings(options);
  FATHOM_TRY(const Affordable most, affordable(options));
  const double smaller = task == nullptr ? 1 : limitBatches(options, *task, most, checked);
  FATHOM_TRY(RunParts parts, makeRunParts(options, request));
  limitMuPass(options, *parts.task, most, checked);
  noteRandomEncoder(options, *parts.model, checked.notes);
  const std::int64_t updates = plannedUpdates(*parts.task, settings, smaller, checked.ownData);
  if (updates < 0)
    checked.notes.emplace_back(
        Phrase::tr("An epoch is as long as your data: name them, or give the length in updates."));
  progress.begin(Phrase::tr("initial values").english, "", -1);
  PrepareRequest prepare;
  prepare.progress = &progress;
  prepare.stop = stop;
  FATHOM_TRY(const Json report, initialiseParts(parts, options, false, prepare));
  const ProbeSubject subject = probeSubject(parts, options, {kSplit}, &progress, stop);
  checked.sample = subject.sample;
  const Activation activation = valueOf(kActivations, options.text("model.activation"));
  FATHOM_TRY(checked.facts, measureTrainability(subject, activation));
  checked.facts.init = options.text("init");
  FATHOM_CHECK(fillRateShares(checked.facts, options, parts.model->parameters()));
  fillLoss(checked.facts, parts, request.setup.seed);
  FATHOM_CHECK(fillRates(checked.facts, options, updates));
  return checked;
}

std::string wordsOf(const Checked& checked, const TrainabilityVerdict& verdict) {
  const TrainabilityFacts& facts = checked.facts;
  std::string text = "verdict: " + std::string(trainabilityName(verdict.verdict)) + "\n";
  for (const TrainabilityCheck& one : verdict.checks) {
    text += std::string(one.verdict == Trainability::Green ? "  fine: " : "  bad:  ") + one.reason.english() +
            "\n";
    if (!one.remedies.empty()) text += "        would help: " + one.change().english() + "\n";
  }
  for (const StackCheck& stack : facts.stacks) {
    char line[200];
    std::snprintf(line, sizeof line,
                  "%s (%s, %lld layers): mu %.4g, scale in %.4g, of the last sum %.4g, predicted %.4g\n",
                  stack.stack.c_str(), stack.residual.c_str(), static_cast<long long>(stack.layers), stack.mu,
                  stack.inputScale, stack.measured.back(), stack.predicted.back());
    text += line;
  }
  char sample[120];
  std::snprintf(sample, sizeof sample, "measured on %lld of %lld examples of the %s part (seed %lld)\n",
                checked.sample.at("examples").get<long long>(), checked.sample.at("of").get<long long>(),
                checked.sample.at("part").get<std::string>().c_str(),
                checked.sample.at("seed").get<long long>());
  text += sample;
  for (const Phrase& note : checked.notes) text += note.english() + "\n";
  return text;
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
    std::cout << wordsOf(checked, verdict) << std::flush;
    return ExitCode::Finished;
  }
  Json json = trainabilityToJson(checked.facts, verdict);
  json["format"] = 1;
  json["sample"] = checked.sample;
  json["mu_sample"] = checked.muSample;
  json["note"] = Phrase::list(checked.notes, " ").english();
  writePhrases(json, "notes", checked.notes);
  json["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::cout << jsonText(json) << std::endl;
  return ExitCode::Finished;
}

}  // namespace fathom
