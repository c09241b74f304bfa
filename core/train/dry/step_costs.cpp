// SPDX-License-Identifier: Apache-2.0
#include "core/train/dry/step_costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "core/base/errors/error_key.h"
#include "core/base/files/temporary_folder.h"
#include "core/objectives/objective.h"
#include "core/train/dry/dry_model.h"

namespace fathom {

namespace {

// Tokens of the two batches: enough for kernels to work as they do in a run, little enough for a second.
constexpr std::int64_t kFewTokens = 256, kManyTokens = 1024;
constexpr int kRepeats = 2;  // the faster one counts
constexpr const char *kWidth = "model.width", *kFeedForward = "model.feed_forward", *kHeads = "model.heads";

// The made data as the options read it, with batches of about so many tokens.
struct MadeTask {
  OptionValues options;
  std::unique_ptr<Task> task;
};

Result<MadeTask> sampleTask(OptionValues options, const TaskEntry& entry, const std::string& folder,
                            std::int64_t tokens, const StopToken& stop) {
  FATHOM_TRY(const MadeData made, entry.madeData.write(folder, 1, MadeDataSize::Check));
  for (const auto& [key, value] : made.options.items()) FATHOM_CHECK(options.set(key, value));
  for (const BatchKey& batch : entry.batch) {
    if (!options.active(batch.key)) continue;
    std::int64_t each = 1;
    if (!batch.tokens.empty()) each = std::max<std::int64_t>(1, options.integer(batch.tokens));
    FATHOM_CHECK(options.set(batch.key, std::max<std::int64_t>(1, tokens / each)));
    break;
  }
  FATHOM_CHECK(options.check());
  TaskSetup setup;
  setup.stop = stop;
  FATHOM_TRY(auto task, entry.create(options, setup));
  return MadeTask{std::move(options), std::move(task)};
}

// The batch with the most padded tokens among the first ones.
HostBatch largestOf(const Task& task) {
  constexpr std::int64_t kLookedAt = 16;
  HostBatch largest;
  const std::int64_t count = std::min(kLookedAt, task.batchCount(DataSplit::Train));
  for (std::int64_t i = 0; i < count; ++i) {
    HostBatch batch = task.makeTrainBatch(0, i);
    if (batch.paddedUnits > largest.paddedUnits || i == 0) largest = std::move(batch);
  }
  return largest;
}

// The best of a few updates; bytes are the same each time.
StepCost costOf(const OptionValues& options, const Task& task, const ModelInputs& inputs,
                const torch::Device& device, const HostBatch& batch) {
  DryModel model(options, task, inputs, device);
  const std::array<const HostBatch*, 1> batches{&batch};
  model.prepare(task, batches, {});
  StepCost best = model.update(batch);  // the first one makes what later ones find
  for (int i = 0; i < kRepeats; ++i) {
    const StepCost cost = model.update(batch);
    best.seconds = i == 0 ? cost.seconds : std::min(best.seconds, cost.seconds);
    best.optimiserSeconds =
        i == 0 ? cost.optimiserSeconds : std::min(best.optimiserSeconds, cost.optimiserSeconds);
    best.processorSeconds =
        i == 0 ? cost.processorSeconds : std::min(best.processorSeconds, cost.processorSeconds);
    best.forward = std::max(best.forward, cost.forward);
    best.step = std::max(best.step, cost.step);
  }
  return best;
}

// A model that is too wide to be made even with one layer a stack is measured at half its width, a quarter,
// …: what is kept for a token grows with the width, what is multiplied with its square.
double narrowed(OptionValues& options, const ModelInputs& inputs, std::int64_t mostBytes) {
  double factor = 1;
  while (true) {
    const auto bytes = modelBytes(options, inputs);
    if (!bytes.ok() || bytes->total() <= mostBytes) return factor;
    const std::int64_t width = options.integer(kWidth), heads = options.integer(kHeads);
    const std::int64_t inner = options.integer(kFeedForward);
    if (width % 4 != 0 || (width / 2) % heads != 0 || width / 2 < 32) return factor;
    OptionValues narrow = options;
    if (!narrow.set(kWidth, width / 2).ok() ||
        !narrow.set(kFeedForward, std::max<std::int64_t>(1, inner / 2)).ok() || !narrow.check().ok())
      return factor;
    options = std::move(narrow);
    factor *= 2;
  }
}

StepCosts::Line lineOf(const StepCost& few, const StepCost& many, double fewTokens, double manyTokens,
                       const std::map<std::string, StepCost>& deeper,
                       const std::function<double(const StepCost&)>& of) {
  StepCosts::Line line;
  const double between = manyTokens - fewTokens;
  line.perToken = between > 0 ? std::max(0.0, (of(many) - of(few)) / between) : of(many) / manyTokens;
  line.fixed = std::max(0.0, of(many) - line.perToken * manyTokens);
  for (const auto& [key, cost] : deeper)
    line.perLayerToken[key] = std::max(0.0, of(cost) - of(many)) / manyTokens;
  return line;
}

void scale(StepCosts::Line& line, double factor) {
  line.fixed *= factor;
  line.perToken *= factor;
  for (auto& [key, value] : line.perLayerToken) value *= factor;
}

}  // namespace

std::map<std::string, std::int64_t> stackDepths(const OptionValues& options) {
  std::map<std::string, std::int64_t> depths;
  for (const EnumWord<StackKind>& word : kStackWords) {
    const std::string key = std::string(word.word) + ".layers";
    if (options.schema().find(key) != nullptr && options.active(key)) depths[key] = options.integer(key);
  }
  return depths;
}

OptionValues noDeeperThan(const OptionValues& options, std::int64_t most) {
  OptionValues shallow = options;
  for (const auto& [key, depth] : stackDepths(options))
    if (depth > most) shallow.set(key, most).value();
  // An option that counts layers of a stack (those of an encoder that learn) shrinks with it.
  for (const OptionValues::Violation& broken : shallow.violations())
    for (const std::string& key : broken.keys) {
      const OptionField* field = shallow.schema().find(key);
      if (field != nullptr && field->type == OptionType::Integer && shallow.integer(key) > most)
        shallow.set(key, most).value();
    }
  return shallow;
}

std::string batchKey(const OptionValues& options, const TaskEntry& task) {
  for (const BatchKey& batch : task.batch)
    if (options.active(batch.key)) return batch.key;
  return {};
}

double fullBatchTokens(const OptionValues& options, const TaskEntry& task) {
  for (const BatchKey& batch : task.batch) {
    if (!options.active(batch.key)) continue;
    const double each = batch.tokens.empty() ? 1 : static_cast<double>(options.integer(batch.tokens));
    return static_cast<double>(options.integer(batch.key)) * std::max(1.0, each);
  }
  return 0;
}

ModelInputs inputsOfVocabulary(const std::map<std::string, std::int64_t>& sizes, std::int64_t pieces) {
  ModelInputs inputs(sizes);
  for (const auto& [name, size] : sizes)
    if (name.ends_with("vocabulary") && name != "joined_vocabulary" && size < pieces)
      inputs.set(name, pieces);
  return inputs;
}

double StepCosts::Line::at(const std::map<std::string, std::int64_t>& depths, double tokens) const {
  double value = fixed + perToken * tokens;
  for (const auto& [key, depth] : depths) {
    const auto layer = perLayerToken.find(key);
    if (layer != perLayerToken.end())
      value += layer->second * static_cast<double>(std::max<std::int64_t>(0, depth - 1)) * tokens;
  }
  return value;
}

Result<StepCosts> measureStepCosts(const StepCostRequest& request) {
  const TaskEntry* entry = taskOf(request.options);
  if (entry == nullptr || entry->madeData.write == nullptr)
    return usageError(Phrase::tr("the task has no made data to measure with"));
  if (request.progress != nullptr)
    request.progress->begin(Phrase::tr("measuring a shallow model").english, "", -1);
  const TemporaryFolder folder;
  OptionValues options = noDeeperThan(request.options, 1);
  FATHOM_CHECK(options.set("training.accumulation", 1));
  FATHOM_TRY(const MadeTask few, sampleTask(options, *entry, folder.path(), kFewTokens, request.stop));
  FATHOM_TRY(const MadeTask many, sampleTask(options, *entry, folder.path(), kManyTokens, request.stop));
  OptionValues base = many.options;
  const ModelInputs inputs = inputsOfVocabulary(many.task->sizes(), request.vocabulary);
  const double width = narrowed(base, inputs, request.mostBytes);
  const HostBatch small = largestOf(*few.task), large = largestOf(*many.task);
  const auto cost = [&](const OptionValues& chosen, const HostBatch& batch) {
    if (request.stop.stopRequested()) throw Failure(interruptedError());
    return costOf(chosen, *many.task, inputs, request.device, batch);
  };
  try {
    FATHOM_TRY(const ModelBytes bytes, modelBytes(base, inputs));
    const StepCost first = cost(base, small), second = cost(base, large);
    std::map<std::string, StepCost> deeper;
    for (const auto& [key, depth] : stackDepths(request.options)) {
      if (depth < 2) continue;
      OptionValues two = base;
      FATHOM_CHECK(two.set(key, 2));
      deeper[key] = cost(two, large);
    }
    StepCosts costs;
    const auto fewTokens = static_cast<double>(small.paddedUnits),
               manyTokens = static_cast<double>(std::max<std::int64_t>(1, large.paddedUnits));
    const auto line = [&](auto of) { return lineOf(first, second, fewTokens, manyTokens, deeper, of); };
    costs.forwardBytes = line([](const StepCost& c) { return static_cast<double>(c.forward); });
    costs.backwardBytes = line([](const StepCost& c) { return static_cast<double>(c.step - c.forward); });
    costs.seconds = line([](const StepCost& c) { return c.seconds; });
    costs.processorSeconds = line([](const StepCost& c) { return c.processorSeconds; });
    // Gradients are counted by themselves: what grows with the layers here are theirs.
    costs.backwardBytes.fixed = 0;
    costs.backwardBytes.perLayerToken.clear();
    scale(costs.forwardBytes, width);
    scale(costs.backwardBytes, width);
    scale(costs.seconds, width * width);
    scale(costs.processorSeconds, width * width);
    costs.optimiserSeconds =
        second.optimiserSeconds / static_cast<double>(std::max<std::int64_t>(1, bytes.parameters.total));
    return costs;
  } catch (const Failure& failure) {
    return failure.error();
  }
}

}  // namespace fathom
