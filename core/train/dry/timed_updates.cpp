// SPDX-License-Identifier: Apache-2.0
#include "core/train/dry/timed_updates.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/base/files/memory_group.h"
#include "core/nn/on_host.h"

namespace fathom {

namespace {

constexpr std::int64_t kAllOf = 256, kMostUnits = 48, kSpread = 48;
constexpr std::size_t kTypical = 24;
constexpr std::int64_t kFewestUpdates = 3;
constexpr double kShareOfScores = 0.5;  // decoding ends earlier once a model knows ends: docs/dry_run.md §4

using Clock = std::chrono::steady_clock;
double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Indices to look at, in the order of an epoch.
std::vector<std::int64_t> lookedAt(const Task& task, std::uint64_t seed) {
  const std::vector<std::int64_t> order = task.epochOrder(seed, 0);
  const auto count = static_cast<std::int64_t>(order.size());
  if (count <= kAllOf) return order;
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < kSpread; ++i)
    chosen.push_back(order[static_cast<std::size_t>(i * count / kSpread)]);
  std::vector<std::int64_t> byUnits(static_cast<std::size_t>(count));
  std::iota(byUnits.begin(), byUnits.end(), 0);
  std::partial_sort(
      byUnits.begin(), byUnits.begin() + kMostUnits, byUnits.end(), [&task](std::int64_t a, std::int64_t b) {
        return task.batchTargetUnits(DataSplit::Train, a) > task.batchTargetUnits(DataSplit::Train, b);
      });
  byUnits.resize(kMostUnits);
  chosen.insert(chosen.end(), byUnits.begin(), byUnits.end());
  return chosen;
}

bool larger(const HostBatch& a, const HostBatch& b) {
  if (a.paddedUnits != b.paddedUnits) return a.paddedUnits > b.paddedUnits;
  return a.rows() < b.rows();  // of the same size: fewer rows are wider
}

// The middle one by size stands for all of a part.
std::optional<HostBatch> longestOf(const Task& task, DataSplit split) {
  constexpr std::int64_t kLooked = 32;
  std::optional<HostBatch> longest;
  const std::int64_t count = task.batchCount(split);
  for (std::int64_t i = 0; i < std::min(count, kLooked); ++i) {
    HostBatch batch = task.makeBatch(split, i * count / std::min(count, kLooked));
    if (!longest || larger(batch, *longest)) longest = std::move(batch);
  }
  return longest;
}

// The typical batches stand for all examples of the three parts.
void prepareOutputs(DryModel& model, const TimedUpdatesRequest& request,
                    const std::optional<HostBatch>& validation, TimedUpdates& timed) {
  std::vector<const HostBatch*> typical, all{&request.batches.longest};
  for (const HostBatch& batch : request.batches.typical) typical.push_back(&batch);
  if (validation) all.push_back(&*validation);
  all.insert(all.end(), typical.begin(), typical.end());
  if (typical.empty()) typical = all;
  const PrepareCost cost = model.prepare(request.task, typical, request.stop);
  if (cost.bytes == 0) return;
  std::int64_t examples = 0;
  for (const DataSplit split : {DataSplit::Train, DataSplit::Validation, DataSplit::Test})
    if (request.task.batchCount(split) > 0)
      examples += static_cast<std::int64_t>(request.task.batchedExamples(split).size());
  const double times =
      static_cast<double>(examples) / static_cast<double>(std::max<std::int64_t>(1, cost.examples));
  timed.prepareSeconds = times * cost.seconds;
  timed.prepared = std::llround(times * static_cast<double>(cost.bytes));
  model.prepare(request.task, all, request.stop);
}

void lookAtValidation(DryModel& model, const TimedUpdatesRequest& request,
                      const std::optional<HostBatch>& batch, TimedUpdates& timed) {
  if (!batch) return;
  const auto batches = static_cast<double>(request.task.batchCount(DataSplit::Validation));
  PassCost loss = model.validate(*batch);
  loss = model.validate(*batch);
  timed.validationSeconds = loss.seconds * batches;
  const PassCost outputs = model.decode(*batch, request.stop);
  timed.scoreSeconds = kShareOfScores * outputs.seconds * batches;
  timed.look = std::max(loss.bytes, outputs.bytes);
}

}  // namespace

TimedBatches batchesToTime(const Task& task, std::uint64_t seed) {
  TimedBatches batches;
  const std::vector<std::int64_t> indices = lookedAt(task, seed);
  const std::size_t spread = std::min<std::size_t>(indices.size(), kSpread);
  const std::size_t every = std::max<std::size_t>(1, spread / kTypical);
  double tokens = 0, counted = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    HostBatch batch = task.makeTrainBatch(0, indices[i]);
    const bool all = static_cast<std::int64_t>(indices.size()) <= kAllOf;
    if (all || i < static_cast<std::size_t>(kSpread)) {
      tokens += static_cast<double>(batch.paddedUnits);
      ++counted;
    }
    if (i < spread && i % every == 0) batches.typical.push_back(batch);
    if (i == 0 || larger(batch, batches.longest)) batches.longest = std::move(batch);
  }
  batches.meanTokens = counted > 0 ? tokens / counted : 0;
  return batches;
}

std::int64_t TimedUpdates::activations(const ModelBytes& bytes, bool accumulates) const {
  const std::int64_t update =
      accumulates ? bytes.gradients + std::max(forward, step - bytes.gradients) : std::max(forward, step);
  // Gradients are there until the next update begins: while a validation looks and a checkpoint is written
  // from a copy of the optimiser's tensors.
  const std::int64_t between = bytes.gradients + std::max(look + bytes.averaged, bytes.optimiser);
  return std::max<std::int64_t>(0, std::max(update, between) - bytes.gradients);
}

TimedUpdates timeUpdates(const TimedUpdatesRequest& request) {
  TimedUpdates timed;
  if (request.progress != nullptr)
    request.progress->begin(Phrase::tr("timing updates").english, "s", request.seconds);
  const bool host = isOnHost(request.device);
  DryModel model(request.options, request.task, ModelInputs(request.task.modelSizes()), request.device);
  const auto note = [&timed](const StepCost& cost) {
    timed.forward = std::max(timed.forward, cost.forward);
    timed.step = std::max(timed.step, cost.step);
  };
  const auto validation = longestOf(request.task, DataSplit::Validation);
  prepareOutputs(model, request, validation, timed);
  note(model.update(request.batches.longest));
  if (!request.batches.typical.empty()) note(model.update(request.batches.typical.front()));
  const std::int64_t accumulation =
      std::max<std::int64_t>(1, request.options.integer("training.accumulation"));
  double batchSeconds = 0, optimiserSeconds = 0;
  const auto begin = Clock::now();
  const std::size_t count = request.batches.typical.size();
  for (std::size_t i = 0;
       count > 0 && (secondsSince(begin) < request.seconds || timed.updates < kFewestUpdates); ++i) {
    if (request.stop.stopRequested()) throw Failure(interruptedError());
    const StepCost cost = model.update(request.batches.typical[i % count]);
    note(cost);
    batchSeconds += cost.seconds;
    optimiserSeconds += cost.optimiserSeconds;
    ++timed.updates;
    if (request.progress != nullptr) request.progress->report(secondsSince(begin));
    if (timed.updates >= kFewestUpdates && secondsSince(begin) > request.seconds) break;
  }
  if (timed.updates > 0) {
    const auto updates = static_cast<double>(timed.updates);
    timed.stepSeconds = optimiserSeconds / updates;
    timed.updateSeconds = static_cast<double>(accumulation) * batchSeconds / updates + timed.stepSeconds;
  }
  lookAtValidation(model, request, validation, timed);
  if (host) {
    const std::int64_t most = std::max({timed.forward, timed.step, timed.look});
    timed.program = std::max<std::int64_t>(0, mostResidentBytes() - model.resident() - most);
  }
  return timed;
}

}  // namespace fathom
