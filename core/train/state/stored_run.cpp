// SPDX-License-Identifier: Apache-2.0
#include "core/train/state/stored_run.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/new_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/text/text_list.h"
#include "core/nn/pretrained/checkpoint_weights.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/moved_files.h"
#include "core/record/runs/run_folder.h"
#include "core/train/parts/run_options.h"
#include "core/train/state/checkpoint.h"
#include "core/train/state/checkpoint_average.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

// Folder of the checkpoint that a word names.
Result<std::string> findCheckpoint(const std::string& runPath, const std::string& wanted,
                                   std::vector<std::string>& damaged) {
  if (wanted.empty()) return usableCheckpoint(runPath, damaged);
  const bool isFolder = folderExists(wanted);
  const auto inside = chooseCheckpoint(runPath, wanted);
  if (inside) return inside->path;
  if (isFolder) return wanted;
  return inside.error();
}

std::string manifestOf(const std::string& checkpoint) {
  return isAverage(checkpoint) ? checkpoint + "/" + kAverageFile : checkpointManifestFile(checkpoint);
}

// Checks every byte. Retention of a run that goes on leaves a checkpoint alone while the lock lives; an
// average has none.
Result<std::unique_ptr<CheckpointLock>> holdWeights(const std::string& checkpoint) {
  if (isAverage(checkpoint)) {
    FATHOM_CHECK(checkAverage(checkpoint));
    return std::unique_ptr<CheckpointLock>();
  }
  FATHOM_TRY(auto lock, CheckpointLock::share(checkpoint));
  FATHOM_TRY(const CheckpointManifest manifest, verifyCheckpoint(checkpoint));
  return lock;
}

using PartsMaker = std::function<Result<RunParts>()>;

// The checkpoint is found and held before anything is made that takes time.
Status fillWeights(StoredRun& stored, const std::string& runPath, const std::string& wanted,
                   const PartsMaker& make) {
  PrepareRequest prepare;
  prepare.cachePath = sharedCachePath(runPath);
  if (wanted == kInitialWeights) {
    FATHOM_TRY(stored.parts, make());
    FATHOM_TRY(const Json report, initialiseParts(stored.parts, stored.options, true, prepare));
    stored.checkpoint = kInitialWeights;
    stored.checkpointHash.clear();
    return {};
  }
  stored.damaged.clear();
  FATHOM_TRY(const std::string checkpoint, findCheckpoint(runPath, wanted, stored.damaged));
  FATHOM_TRY(const auto held, holdWeights(checkpoint));
  FATHOM_TRY(stored.parts, make());
  FATHOM_CHECK(loadCheckpoint(checkpoint, *stored.parts.model, nullptr));
  if (!isAverage(checkpoint) && stored.options.real("optimizer.average_decay") > 0) {
    FATHOM_TRY(const auto state, readTensors(checkpoint + "/optimizer.safetensors"));
    FATHOM_CHECK(loadAverages(state, stored.parts.model->parameters()));
  }
  stored.parts.objective->prepare(*stored.parts.model, *stored.parts.task, prepare);
  stored.checkpoint = fs::path(checkpoint).filename().string();
  FATHOM_TRY(stored.checkpointHash, sha256OfFile(manifestOf(checkpoint)));
  return {};
}

}  // namespace

Result<StoredRun> openStoredRun(const StoredRunRequest& request) {
  FATHOM_TRY(const RunFolder folder, RunFolder::open(request.runPath));
  const int attempt = folder.lastAttempt();
  if (attempt == 0) return dataError(Phrase::tr("run %1 was never started")(request.runPath));
  const std::string file = folder.configPath(attempt);
  FATHOM_TRY(RunConfig config, readRunConfig(file));
  findMovedFiles(config.options, request.runPath);
  StoredRun stored;
  FATHOM_TRY(stored.options, recordedOptions(config.options, file));
  for (const std::string& assignment : request.assignments) FATHOM_CHECK(stored.options.setText(assignment));
  FATHOM_CHECK(stored.options.check());
  RunPartsRequest parts;
  parts.device = stored.options.text("device");
  parts.setup.seed = static_cast<std::uint64_t>(stored.options.integer("seed"));
  FATHOM_TRY(parts.setup.artifacts, readArtifacts(request.runPath));
  parts.setup.inputOnly = request.inputOnly;
  parts.setup.progress = request.progress;
  parts.setup.stop = request.stop;
  const PartsMaker make = [&] { return makeRunParts(stored.options, parts); };
  FATHOM_CHECK(fillWeights(stored, request.runPath, request.checkpoint, make));
  return stored;
}

Status openOtherWeights(StoredRun& stored, const std::string& runPath, const std::string& checkpoint) {
  return fillWeights(stored, runPath, checkpoint,
                     [&] { return makeRunParts(stored.options, stored.parts.task, stored.parts.device); });
}

namespace {

// Says which condition left nothing, and what there is.
Error nothingToAverage(const AverageRequest& request, const std::vector<std::string>& damaged) {
  std::vector<std::string> names;
  for (const CheckpointManifest& manifest : listCheckpoints(request.runPath))
    if (std::find(damaged.begin(), damaged.end(), manifest.name) == damaged.end())
      names.push_back(manifest.name);
  std::string which = "checkpoint to average";
  if (request.epochEnds) which += " from the end of an epoch";
  if (request.upperUpdate >= 0) which += " up to update " + std::to_string(request.upperUpdate);
  const std::string none = damaged.empty() ? "train it first" : "damaged: " + joined(damaged);
  return unavailableError(Phrase::tr("run %1 has no %2")(request.runPath, which),
                          names.empty() ? Phrase::words(none) : Phrase::tr("there are: %1")(joined(names)));
}

std::vector<CheckpointChoice> offeredFor(const AverageRequest& request) {
  std::vector<CheckpointChoice> offered;
  for (const CheckpointManifest& manifest : listCheckpoints(request.runPath)) {
    if (request.epochEnds && !manifest.details.value("end_of_epoch", false)) continue;
    const bool repeated = !offered.empty() && offered.back().position >= manifest.step;
    if (!repeated) offered.push_back({manifest.name, manifest.step});
  }
  return offered;
}

// The checkpoints to average: damaged ones are passed over and named.
CheckpointSelection selectGood(const AverageRequest& request, std::vector<std::string>& damaged) {
  std::vector<CheckpointChoice> offered = offeredFor(request);
  const std::int64_t upper = request.upperUpdate >= 0 ? request.upperUpdate : INT64_MAX;
  const std::string checkpoints = RunFolder(request.runPath).checkpointsPath();
  for (const std::string& name : unreadableCheckpoints(request.runPath))
    if (checkpointStep(name).value_or(0) <= upper) damaged.push_back(name);
  while (true) {
    CheckpointSelection selection = selectCheckpoints(offered, upper, request.count);
    const auto bad = std::find_if(selection.chosen.begin(), selection.chosen.end(), [&](const auto& choice) {
      return !verifyOwnFiles(checkpoints + "/" + choice.name).ok();
    });
    if (bad == selection.chosen.end()) return selection;
    const std::string name = bad->name;
    damaged.push_back(name);
    std::erase_if(offered, [&](const CheckpointChoice& choice) { return choice.name == name; });
  }
}

}  // namespace

Result<AverageReport> averageCheckpoints(const AverageRequest& request) {
  FATHOM_TRY(const RunFolder folder, RunFolder::open(request.runPath));
  if (!request.outPath.empty() && fileExists(request.outPath))
    return unavailableError(Phrase::tr("%1 exists already")(request.outPath),
                            Phrase::tr("name a new folder"));
  FATHOM_CHECK(checkpointsCanBeSeen(request.runPath));
  AverageReport report;
  const CheckpointSelection selection = selectGood(request, report.damaged);
  if (selection.chosen.empty()) return nothingToAverage(request, report.damaged);
  report.enough = selection.enough;
  TensorMean mean;
  for (const CheckpointChoice& choice : selection.chosen) {
    const std::string path = folder.checkpointsPath() + "/" + choice.name;
    FATHOM_TRY(const auto lock, CheckpointLock::share(path));
    FATHOM_TRY(const CheckpointManifest whole, verifyCheckpoint(path));
    FATHOM_TRY(const auto tensors, readWeights(path));
    FATHOM_CHECK(mean.add(tensors));
    report.names.push_back(choice.name);
  }
  report.path = request.outPath.empty() ? RunFolder(request.runPath).averagesPath() + "/" +
                                              report.names.front() + "_" + report.names.back()
                                        : request.outPath;
  std::error_code code;
  if (request.outPath.empty()) fs::remove_all(report.path, code);  // ours, and made again
  const auto tensors = mean.mean();
  const auto write = [&](const std::string& path) -> Status {
    FATHOM_TRY(const std::string hash,
               writeTensors(path + "/" + kModelFile, {tensors.begin(), tensors.end()}));
    Json json;
    json["format"] = 1;
    json["checkpoints"] = report.names;
    json["asked_for"] = request.count;
    json["enough"] = report.enough;
    json["sha256"] = hash;
    return writeFileAtomically(path + "/" + kAverageFile, json.dump(1) + "\n");
  };
  FATHOM_CHECK(makeNewFolder(report.path, write));
  return report;
}

}  // namespace fathom
