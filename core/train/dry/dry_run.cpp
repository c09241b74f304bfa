// SPDX-License-Identifier: Apache-2.0
#include "core/train/dry/dry_run.h"

#include <ATen/Parallel.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/errors/error_key.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/temporary_folder.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/number_text.h"
#include "core/nn/on_host.h"
#include "core/train/dry/dry_device.h"
#include "core/train/dry/fitting.h"
#include "core/train/dry/timed_updates.h"
#include "core/train/parts/compute_device.h"
#include "core/train/parts/run_parts.h"
#include "core/train/state/planned_updates.h"

namespace fathom {

namespace {

// A model is built and timed where it takes at most this share of the room, and an update so long.
constexpr double kShareToBuild = 0.6, kLongestUpdate = 4;
constexpr std::int64_t kShallowBytes = std::int64_t{1} << 27;  // of the models that costs are measured on
constexpr double kInDoubt = 0.1;  // share of the room from which a run is measured before it is built

std::int64_t vocabularyOf(const OptionValues& options, std::int64_t otherwise) {
  for (const OptionField& field : options.schema().fields())
    if (field.type == OptionType::Integer && field.key.ends_with("vocabulary.size") &&
        options.active(field.key))
      return options.integer(field.key);
  constexpr std::int64_t kUsual = 10'000;
  return otherwise > 0 ? otherwise : kUsual;
}

// Bytes of the files that the task reads; -1 where the training data are not named or not there.
std::int64_t dataBytes(const OptionValues& options, const TaskEntry& task) {
  if (!task.data.train.empty()) {
    const std::string train = options.text(task.data.train);
    if (train.empty() || !fileExists(train)) return -1;
  }
  std::int64_t bytes = 0;
  for (const OptionField& field : task.fields) {
    if (field.type != OptionType::Path || !options.active(field.key)) continue;
    const std::string path = options.text(field.key);
    if (!path.empty()) bytes += static_cast<std::int64_t>(fileBytes(path));
  }
  return bytes;
}

// A run that is small by a rough count is small: forty numbers for each token, layer and unit of width.
bool inDoubt(const OptionValues& options, const TaskEntry& entry, const std::optional<MemoryRoom>& room) {
  if (!room) return true;
  double layers = 0;
  for (const auto& [key, depth] : stackDepths(options)) layers += static_cast<double>(depth);
  const double rough =
      fullBatchTokens(options, entry) * layers * 40 * 4 * static_cast<double>(options.integer("model.width"));
  return rough > kInDoubt * static_cast<double>(room->free);
}

void fillDisk(DryRun& run, const DryRunRequest& request, const ModelBytes& bytes) {
  const TrainSettings settings = trainSettings(request.options);
  run.checkpointBytes = bytes.gradients + bytes.optimiser;  // what learns, and its moments
  // One more while an old one is not yet removed.
  run.checkpoints = settings.keepLast + settings.keepBest + 1;
  if (settings.keepEvery > 0 && run.updates > 0) run.checkpoints += run.updates / settings.keepEvery;
  struct statvfs disk {};
  if (!request.diskPath.empty() && ::statvfs(request.diskPath.c_str(), &disk) == 0)
    run.diskFree = static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
}

// From costs of a shallow model: everything that grows with tokens.
double activationsOf(const StepCosts& costs, const std::map<std::string, std::int64_t>& depths, double tokens,
                     const ModelBytes& bytes, bool accumulates) {
  const double forward = costs.forwardBytes.at(depths, tokens), more = costs.backwardBytes.at(depths, tokens);
  const auto gradients = static_cast<double>(bytes.gradients);
  // Gradients of the first batches of an update are there while the next ones go forward.
  const double most = accumulates ? gradients + forward : std::max(forward, gradients);
  return std::max(0.0, most + more - gradients);
}

// Data, model and numbers of one dry run, step by step.
class Planner {
 public:
  explicit Planner(const DryRunRequest& request)
      : m_request(request),
        m_options(request.options),
        m_entry(taskOf(request.options)),
        m_settings(trainSettings(request.options)) {}

  Result<DryRun> run() {
    if (m_entry == nullptr || objectiveForTask(m_entry->id) == nullptr)
      return aboutKey(
          "task", usageError(Phrase::tr("option 'task': '%1' cannot be trained")(m_options.text("task"))));
    FATHOM_TRY(m_device, chooseDevice(m_settings.device));
    prepareNumerics(m_device, m_settings.threads);
    m_run.device = m_device.str();
    m_run.room = deviceRoom(m_device);
    m_vocabulary = vocabularyOf(m_options, m_request.vocabulary);
    FATHOM_CHECK(count());
    if (lacksRoom()) return concluded();
    FATHOM_CHECK(readData());
    if (hasBatches()) FATHOM_CHECK(recount());
    if (!m_request.onlyWhetherItFits || inDoubt(m_options, *m_entry, m_run.room)) {
      measureShallow();
      fillShallow();
    }
    if (m_costs && lacksRoom()) return concluded();
    if (hasBatches() && m_request.seconds > 0 && affordable()) FATHOM_CHECK(timeModel());
    return concluded();
  }

 private:
  bool hasBatches() const { return m_task != nullptr && m_batches.longest.rows() > 0; }
  bool lacksRoom() const { return m_run.room && m_run.memory.total() > m_run.room->free; }

  // Without data: a vocabulary of the size that the options give.
  Status count() {
    FATHOM_TRY(m_bytes, modelBytes(m_options, ModelInputs::ofVocabulary(m_vocabulary)));
    fillCounts();
    m_run.memoryKnown = false;
    m_run.batchTokens = fullBatchTokens(m_options, *m_entry);
    if (m_settings.length.unit == TrainingTime::Unit::Updates)
      m_run.updates = static_cast<std::int64_t>(std::ceil(m_settings.length.amount));
    return {};
  }
  Status recount() {
    FATHOM_TRY(m_bytes, modelBytes(m_options, ModelInputs(m_task->modelSizes())));
    fillCounts();
    return {};
  }
  void fillCounts() {
    m_run.parameters = m_bytes.parameters;
    m_run.memory.program = isOnHost(m_device) ? residentBytes() : deviceProgramBytes();
    m_run.memory.weights = m_bytes.weights;
    m_run.memory.gradients = m_bytes.gradients;
    m_run.memory.optimiser = m_bytes.optimiser;
  }

  Status readData() {
    const std::int64_t bytes = dataBytes(m_options, *m_entry);
    if (bytes < 0) return useSample();
    if (bytes > m_request.mostDataBytes) {
      m_run.notes.push_back(
          Phrase::tr("The data (%1) are not read for this: worked out with made "
                     "data.")(byteText(static_cast<double>(bytes))));
      return {};
    }
    FATHOM_CHECK(openData());
    m_run.ownData = m_batches.longest.rows() > 0;
    return {};
  }

  // The sample stands in for data that are not named, as the options read it: with a vocabulary that it
  // is too small for only a shallow model is measured on it.
  Status useSample() {
    const std::string train = m_entry->data.train.empty() ? "" : m_options.text(m_entry->data.train);
    m_run.notes.push_back(train.empty() ? Phrase::tr("No data are named: worked out with made data.")()
                                        : Phrase::tr("%1 is not there: worked out with made data.")(train));
    if (m_entry->madeData.write == nullptr || m_request.mostDataBytes == 0) return {};
    m_folder = std::make_unique<TemporaryFolder>();
    const auto madeData = m_entry->madeData.write(m_folder->path(), m_settings.seed, MadeDataSize::Training);
    if (!madeData.ok()) return {};
    // Options for reading the sample; the vocabulary stays that of the options.
    for (const auto& [key, value] : madeData->options.items())
      if (key.find(".vocabulary.") == std::string::npos) FATHOM_CHECK(m_options.set(key, value));
    const Status opened = openData();
    if (!opened.ok() && opened.error().kind == ErrorKind::Interrupted) return opened;
    if (!opened.ok()) {
      m_task = nullptr;
      m_options = m_request.options;
    }
    return {};
  }

  Status openData() {
    const auto begin = std::chrono::steady_clock::now();
    TaskSetup setup;
    setup.seed = m_settings.seed;
    setup.progress = m_request.progress;
    setup.stop = m_request.stop;
    if (m_request.open) {
      FATHOM_TRY(m_task, m_request.open(m_options, setup));
    } else {
      FATHOM_TRY(m_task, m_entry->create(m_options, setup));
    }
    m_run.dataSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (m_task->batchCount(DataSplit::Train) == 0) return {};
    m_batches = batchesToTime(*m_task, m_settings.seed);
    m_run.batchTokens = static_cast<double>(m_batches.longest.paddedUnits);
    m_run.batchRows = m_batches.longest.rows();
    m_run.updates = plannedUpdatesOf(*m_task, m_settings);
    return {};
  }

  // A task without made data, or options that go with no shallow model: then only the model itself tells.
  void measureShallow() {
    const StepCostRequest request{m_options,     m_device,           m_vocabulary,
                                  kShallowBytes, m_request.progress, m_request.stop};
    auto costs = measureStepCosts(request);
    if (costs.ok())
      m_costs = std::move(*costs);
    else if (costs.error().kind == ErrorKind::Interrupted)
      throw Failure(costs.error());
    else
      m_run.notes.push_back(Phrase::tr("A shallow model could not be measured: %1")(costs.error().phrase()));
  }
  void fillShallow() {
    if (!m_costs || m_run.batchTokens <= 0) return;
    const auto depths = stackDepths(m_options);
    m_run.memory.activations = std::llround(
        activationsOf(*m_costs, depths, m_run.batchTokens, m_bytes, m_settings.accumulation > 1));
    m_run.memoryKnown = true;
    const double tokens = hasBatches() ? m_batches.meanTokens : m_run.batchTokens;
    m_run.stepSeconds = m_costs->optimiserSeconds * static_cast<double>(m_bytes.parameters.total);
    m_run.updateSeconds = static_cast<double>(m_settings.accumulation) * m_costs->seconds.at(depths, tokens) +
                          m_run.stepSeconds;
  }

  bool affordable() const {
    if (!m_costs) return m_run.room && !inDoubt(m_options, *m_entry, m_run.room);
    if (!m_run.room) return true;
    const bool room =
        static_cast<double>(m_run.memory.total()) < kShareToBuild * static_cast<double>(m_run.room->free);
    // On a machine that does other things meanwhile an update is slow whatever it takes.
    const double update = static_cast<double>(m_settings.accumulation) *
                          m_costs->processorSeconds.at(stackDepths(m_options), m_run.batchTokens) /
                          at::get_num_threads();
    return room && update < kLongestUpdate * std::max(1.0, m_request.seconds / 3);
  }

  Status timeModel() {
    try {
      const TimedUpdates timed = timeUpdates(
          {m_options, *m_task, m_device, m_batches, m_request.seconds, m_request.progress, m_request.stop});
      m_run.timedUpdates = timed.updates;
      m_run.updateSeconds = timed.updateSeconds;
      m_run.stepSeconds = timed.stepSeconds;
      m_run.validationSeconds = timed.validationSeconds;
      m_run.scoreSeconds = timed.scoreSeconds;
      m_run.memory.activations = timed.activations(m_bytes, m_settings.accumulation > 1);
      m_run.memory.program = std::max(m_run.memory.program, timed.program) + timed.prepared;
      if (timed.prepared > 0) m_run.prepareSeconds = timed.prepareSeconds;
      m_run.memoryKnown = true;
    } catch (const Failure& failure) {
      return failure.error();
    }
    return {};
  }

  Result<DryRun> concluded() {
    if (m_task != nullptr && m_run.updates >= 0) {
      m_run.validations = timesWithin(*m_task, m_settings, m_settings.validationInterval, m_run.updates);
      m_run.scores = timesWithin(*m_task, m_settings, m_settings.scoreInterval, m_run.updates);
      const bool atEnd = m_run.scores == 0 || m_settings.scoreInterval.never();
      m_run.scores += atEnd ? 1 : 0;
      m_run.validations = std::max(m_run.validations, m_run.scores);
    }
    if (m_run.updateSeconds && m_run.updates >= 0) {
      double total = *m_run.updateSeconds * static_cast<double>(m_run.updates) +
                     m_run.dataSeconds.value_or(0) + m_run.prepareSeconds.value_or(0);
      if (m_run.validationSeconds) total += *m_run.validationSeconds * static_cast<double>(m_run.validations);
      if (m_run.scoreSeconds) total += *m_run.scoreSeconds * static_cast<double>(m_run.scores);
      m_run.totalSeconds = total;
    }
    if (m_run.updates < 0 && m_run.memoryFits())
      m_run.notes.emplace_back(
          Phrase::tr("An epoch is as long as your data: name them, or give the length in updates."));
    fillDisk(m_run, m_request, m_bytes);
    if (!m_run.memoryFits())
      m_run.remedies = remedies({m_options, *m_entry, m_vocabulary, m_bytes, m_costs, m_run});
    return std::move(m_run);
  }

  const DryRunRequest& m_request;
  OptionValues m_options;  // the request's, or with the sample as their data
  std::unique_ptr<TemporaryFolder> m_folder;
  const TaskEntry* m_entry;
  TrainSettings m_settings;
  torch::Device m_device = torch::kCPU;
  std::int64_t m_vocabulary = 0;
  ModelBytes m_bytes;
  std::shared_ptr<const Task> m_task;
  TimedBatches m_batches;
  std::optional<StepCosts> m_costs;
  DryRun m_run;
};

}  // namespace

Result<DryRun> dryRun(const DryRunRequest& request) {
  try {
    return Planner(request).run();
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Status checkFits(const DryRun& run) {
  if (!run.memoryFits()) {
    std::vector<Phrase> hints;
    for (const MemoryRemedy& remedy : run.remedies) hints.push_back(remedy.words);
    const auto needed = byteText(static_cast<double>(run.memory.total()));
    const auto free = byteText(static_cast<double>(run.room->free));
    const Phrase message = run.memoryKnown
                               ? Phrase::tr("the run needs %1 of memory, and %2 are free")(needed, free)
                               : Phrase::tr(
                                     "weights, gradients and optimiser alone need %1 of memory, and %2 are "
                                     "free")(needed, free);
    const Phrase hint = hints.empty() ? Phrase(Phrase::tr("use smaller batches or a smaller model"))
                                      : Phrase::list(std::move(hints), "; ");
    const bool host = run.device == "cpu";
    Error error = host ? memoryError(message, hint) : deviceMemoryError(message, hint);
    if (!run.remedies.empty()) error.key = run.remedies.front().options.front().first;
    return error;
  }
  if (run.diskFits()) return {};
  return aboutKey("checkpoint.keep_last",
                  diskError(Phrase::tr("its checkpoints need %1 of disk, and %2 are free")(
                                byteText(static_cast<double>(run.diskBytes())),
                                byteText(static_cast<double>(*run.diskFree))),
                            Phrase::tr("keep fewer checkpoints, or free some space")));
}

namespace {

// Needs of a run as far as they are told without its model, and the parts that they are made of.
struct Needed {
  DryRun run;
  ModelBytes bytes;
  std::optional<StepCosts> costs;
  std::int64_t vocabulary = 0;
  std::vector<MemoryRemedy> remediesFor(const OptionValues& options, const TaskEntry& entry) const {
    return remedies({options, entry, vocabulary, bytes, costs, run});
  }
};

Result<Needed> withoutActivations(const OptionValues& options, const Task& task,
                                  const torch::Device& device) {
  Needed needed;
  FATHOM_TRY(needed.bytes, modelBytes(options, ModelInputs(task.modelSizes())));
  DryRun& run = needed.run;
  run.device = device.str();
  run.room = deviceRoom(device);
  run.parameters = needed.bytes.parameters;
  run.memory.weights = needed.bytes.weights;
  run.memory.gradients = needed.bytes.gradients;
  run.memory.optimiser = needed.bytes.optimiser;
  run.memoryKnown = false;
  needed.vocabulary = vocabularyOf(options, 0);
  return needed;
}

Status measureActivations(Needed& needed, const OptionValues& options, const Task& task,
                          const torch::Device& device, const StopToken& stop) {
  auto measured = measureStepCosts({options, device, needed.vocabulary, kShallowBytes, nullptr, stop});
  if (!measured.ok())
    return measured.error().kind == ErrorKind::Interrupted ? Status(measured.error()) : Status();
  needed.costs = std::move(*measured);
  const TrainSettings settings = trainSettings(options);
  const TimedBatches batches = batchesToTime(task, settings.seed);
  DryRun& run = needed.run;
  run.batchTokens = static_cast<double>(batches.longest.paddedUnits);
  run.memory.activations = std::llround(activationsOf(*needed.costs, stackDepths(options), run.batchTokens,
                                                      needed.bytes, settings.accumulation > 1));
  run.memoryKnown = true;
  return {};
}

}  // namespace

Status checkRoomFor(const OptionValues& options, const Task& task, const torch::Device& device,
                    const StopToken& stop) {
  const TaskEntry* entry = taskOf(options);
  const auto room = deviceRoom(device);
  if (entry == nullptr || !room) return {};
  FATHOM_TRY(Needed needed, withoutActivations(options, task, device));
  if (needed.run.memoryFits() && inDoubt(options, *entry, room))
    FATHOM_CHECK(measureActivations(needed, options, task, device, stop));
  if (needed.run.memoryFits()) return {};
  needed.run.remedies = needed.remediesFor(options, *entry);
  return checkFits(needed.run);
}

Error withWhatFits(const Error& exhausted, const OptionValues& options, const Task& task,
                   const torch::Device& device) {
  constexpr double kSmaller = 0.75;
  const TaskEntry* entry = taskOf(options);
  auto needed = withoutActivations(options, task, device);
  if (entry == nullptr || !needed.ok()) return exhausted;
  try {
    if (!measureActivations(*needed, options, task, device, {}).ok()) return exhausted;
  } catch (...) {  // not even a shallow model has room beside what is still held
  }
  const std::int64_t total = needed->run.memory.total();
  needed->run.room = MemoryRoom{std::llround(kSmaller * static_cast<double>(total)), total, false};
  std::vector<Phrase> hints;
  for (const MemoryRemedy& remedy : needed->remediesFor(options, *entry)) hints.push_back(remedy.words);
  if (hints.empty()) return exhausted;
  return deviceMemoryError(exhausted.made.phrase, Phrase::list(std::move(hints), "; "));
}

}  // namespace fathom
