// SPDX-License-Identifier: Apache-2.0
#include "core/train/parts/run_parts.h"

#include <algorithm>
#include <optional>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/init/init_report.h"
#include "core/nn/build_watch.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/train/parts/compute_device.h"

namespace fathom {

namespace {

constexpr Phrase::Text kBuilding = Phrase::tr("building the model");

// Number of examples of the training part, without those that are left out where the task says which.
std::int64_t trainedExamples(const Task& task) {
  const auto used = static_cast<std::int64_t>(task.batchedExamples(DataSplit::Train).size());
  return used > 0 ? used : task.exampleCount(DataSplit::Train);
}

// Number of the `all` training batches that hold about so many examples, at least one.
std::int64_t batchesOf(std::int64_t examples, const Task& task, std::int64_t all) {
  const std::int64_t each = std::max<std::int64_t>(1, trainedExamples(task) / std::max<std::int64_t>(1, all));
  return std::clamp<std::int64_t>((examples + each - 1) / each, 1, std::max<std::int64_t>(1, all));
}

}  // namespace

torch::TensorOptions modelTensors(const OptionValues& options, const torch::Device& device) {
  const bool wide = options.text("precision") == "float64";
  return torch::TensorOptions().dtype(wide ? torch::kFloat64 : torch::kFloat32).device(device);
}

Result<RunParts> makeRunParts(const OptionValues& options, const RunPartsRequest& request) {
  const std::string taskId = options.text("task");
  const TaskEntry* taskEntry = findTask(taskId);
  if (taskEntry == nullptr || objectiveForTask(taskId) == nullptr) {
    return aboutKey("task", usageError(Phrase::tr("option 'task': '%1' cannot be trained")(taskId)));
  }
  FATHOM_TRY(const torch::Device device, chooseDevice(request.device));
  prepareNumerics(device, options.integer("threads"));
  FATHOM_TRY(std::shared_ptr<Task> task, taskEntry->create(options, request.setup));
  const auto& kept = request.setup.artifacts;
  const auto facts = task->sizes();
  const auto pieces = facts.find("vocabulary");
  if (!kept.empty())
    task->setTokenRows(keptTokenRows(kept));
  else if (pieces != facts.end())
    task->setTokenRows(pretrainedTokenRows(options, pieces->second));
  if (request.beforeBuilding) FATHOM_CHECK(request.beforeBuilding(*task, device));
  const ModelInputs inputs(task->modelSizes());
  FATHOM_TRY(const ParameterCount count, parameterCount(options, inputs));
  const BuildWatch watch(request.setup.progress, request.setup.stop, kBuilding.english,
                         static_cast<double>(count.total));
  return makeRunParts(options, std::move(task), device);
}

Result<RunParts> makeRunParts(const OptionValues& options, std::shared_ptr<Task> task, torch::Device device) {
  const ObjectiveEntry* objectiveEntry = objectiveForTask(options.text("task"));
  RunParts parts;
  parts.device = device;
  parts.entry = findTask(options.text("task"));
  parts.task = std::move(task);
  FATHOM_TRY(parts.model,
             buildModel(options, ModelInputs(parts.task->modelSizes()), modelTensors(options, parts.device)));
  FATHOM_CHECK(objectiveEntry->accepts(*parts.model));
  parts.objective = makeObjective(options, *parts.task);
  return parts;
}

std::unique_ptr<Objective> makeObjective(const OptionValues& options, const Task& task) {
  return objectiveForTask(options.text("task"))->make(options, task);
}

Result<Json> initialiseParts(RunParts& parts, const OptionValues& options, bool rows,
                             const PrepareRequest& prepare, std::int64_t mostExamples) {
  const auto seed = static_cast<std::uint64_t>(options.integer("seed"));
  const auto elements = static_cast<double>(parts.model->parameters().parameterCount());
  const BuildWatch watch(prepare.progress, prepare.stop, Phrase::tr("initial values").english,
                         rows ? 2 * elements : elements);
  const std::vector<std::int64_t> order = parts.task->epochOrder(seed, 0);
  std::int64_t examples = 0, batches = 0;
  double planned = -1;
  const auto profile = [&](std::int64_t index, const StepContext& context) {
    if (prepare.stop.stopRequested()) throw Failure(interruptedError());
    if (prepare.progress != nullptr && index == 0)
      prepare.progress->begin(Phrase::tr("measuring initial values on training data").english,
                              Phrase::tr("batches").english, planned);
    const torch::NoGradGuard noGrad;
    const auto at = static_cast<std::size_t>(index) % order.size();
    const DeviceBatch batch = toDevice(parts.task->makeTrainBatch(0, order[at]), parts.device);
    parts.objective->forward(*parts.model, batch, context);
    if (index == batches && at == static_cast<std::size_t>(index)) {
      ++batches;
      examples += batch.rows();
    }
    if (prepare.progress != nullptr) prepare.progress->report(static_cast<double>(index + 1));
  };
  std::optional<WeightsTaken> taken;
  const auto pretrained = [&](InitTarget& target) -> Status {
    FATHOM_TRY(taken, loadPretrained(options, target.model));
    const bool atHand = parts.objective->prepare(target.model, *parts.task, prepare);
    if (mostExamples > 0 && !atHand)
      target.trainingBatches = batchesOf(mostExamples, *parts.task, target.trainingBatches);
    target.passBegins = [&planned](std::int64_t count) { planned = static_cast<double>(count); };
    return {};
  };
  FATHOM_TRY(Json report, initialiseModel(*parts.model, options, seed, profile,
                                          static_cast<std::int64_t>(order.size()), pretrained));
  if (taken) {
    report["kept"] = taken->kept;
    report["weights"] = taken->toJson();
  }
  if (batches > 0)
    report["measured_on"] = {{"part", dataSplitName(DataSplit::Train)},
                             {"examples", examples},
                             {"of", trainedExamples(*parts.task)},
                             {"batches", batches},
                             {"of_batches", order.size()},
                             {"seed", seed}};
  if (rows) report["rows"] = initRows(*parts.model, report);
  return report;
}

Status writeArtifacts(const std::string& runPath, const std::map<std::string, std::string>& artifacts) {
  if (artifacts.empty()) return {};
  FATHOM_CHECK(makeOneFolder(RunFolder(runPath).artifactsPath()));
  for (const auto& [name, bytes] : artifacts)
    FATHOM_CHECK(writeFileAtomically(RunFolder(runPath).artifactsPath() + "/" + name, bytes));
  return {};
}

Result<std::map<std::string, std::string>> readArtifacts(const std::string& runPath) {
  std::map<std::string, std::string> artifacts;
  FATHOM_TRY(const auto entries, entriesIn(RunFolder(runPath).artifactsPath()));
  for (const auto& entry : entries) {
    std::error_code code;
    const bool regular = entry.is_regular_file(code);
    if (code && code != std::errc::no_such_file_or_directory)
      return inputError(Phrase::tr("cannot look at"), entry.path().string(), code.value());
    if (!regular) continue;
    FATHOM_TRY(artifacts[entry.path().filename().string()], readFile(entry.path().string()));
  }
  return artifacts;
}

}  // namespace fathom
