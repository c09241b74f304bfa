// SPDX-License-Identifier: Apache-2.0
#include "core/train/state/checkpoint.h"

#include <filesystem>
#include <sstream>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_fields.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr int kStateFormat = 1;
constexpr const char* kOptimizerFile = "optimizer.safetensors";
constexpr const char* kAnalystFile = "analyst.safetensors";
constexpr const char* kStateFile = "state.json";

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

NamedTensors pairs(const OptimizerState& state) {
  return {state.begin(), state.end()};
}

// The parameters that learn, or the frozen ones.
NamedTensors weightsOf(const Model& model, bool learning) {
  const ParameterStore& store = model.parameters();
  NamedTensors weights;
  for (const Parameter& parameter : store.parameters())
    if (store.leaves()[parameter.leaf].tensor.requires_grad() == learning)
      weights.emplace_back(parameter.info.name, store.value(parameter));
  return weights;
}

// Written once for an attempt; a file of the same content, from an earlier attempt, is replaced. Its name is
// known only when it is written.
Status keepFrozen(CheckpointContext& context, const Model& model) {
  const std::string folder = RunFolder(context.runPath).checkpointsPath();
  std::error_code code;
  if (context.frozen &&
      std::filesystem::file_size(folder + "/" + context.frozen->name, code) == context.frozen->bytes && !code)
    return {};
  const NamedTensors weights = weightsOf(model, false);
  if (weights.empty()) return {};
  const std::string fresh = folder + "/frozen" + kUnfinishedEnd;  // swept with unfinished checkpoints
  CheckpointFile file;
  FATHOM_TRY(file.sha256, writeTensors(fresh, weights, {{"model", model.id()}}));
  file.name = sharedFileName("frozen", file.sha256);
  file.bytes = std::filesystem::file_size(fresh, code);
  FATHOM_CHECK(renamePath(fresh, folder + "/" + file.name));
  FATHOM_CHECK(syncFolder(folder));
  context.frozen = std::move(file);
  return {};
}

}  // namespace

template <typename Io>
void jsonMembers(Io& io, BestSoFar& best) {
  io("score", best.score)("step", best.step);
}

template <typename Io>
void jsonMembers(Io& io, LoopState& state) {
  io("updates", state.clock.updates)("epochs", state.clock.epochs)("target_tokens", state.clock.targetTokens);
  io("epoch", state.position.epoch)("batch", state.position.batch)("seconds", state.seconds);
  io("best", state.best)("since_best", state.sinceBest);
  io("epoch_loss", state.epochLoss)("epoch_units", state.epochUnits);
  io("last_validation", state.lastValidation)("last_validation_step", state.lastValidationStep);
  io("pending_validation", state.pendingValidation)("detector", state.detector);
}

Json loopStateToJson(const LoopState& state) {
  Json json = jsonOf(state);
  json["loss_scaler"] = state.lossScaler;
  return json;
}

Result<LoopState> loopStateFromJson(const Json& json) {
  FATHOM_TRY(LoopState state,
             storedFromJson<LoopState>(json, Phrase::tr("the state of the checkpoint is malformed: %1")));
  state.lossScaler = memberObject(json, "loss_scaler");  // runs of older versions have none
  return state;
}

Result<CheckpointManifest> saveCheckpoint(CheckpointContext& context, const LoopState& state,
                                          const Model& model, const Optimizer& optimizer,
                                          std::optional<double> score,
                                          const std::vector<std::pair<std::string, torch::Tensor>>& analyst) {
  FATHOM_TRY(CheckpointWriter writer,
             CheckpointWriter::begin(context.runPath, context.attempt, state.clock.updates));
  FATHOM_CHECK(keepFrozen(context, model));
  if (context.frozen) writer.share(*context.frozen);
  FATHOM_TRY(const std::string modelHash, writeTensors(writer.folder() + "/" + kModelFile,
                                                       weightsOf(model, true), {{"model", model.id()}}));
  writer.setHash(kModelFile, modelHash);
  FATHOM_TRY(const std::string optimizerHash,
             writeTensors(writer.folder() + "/" + kOptimizerFile, pairs(optimizer.state())));
  writer.setHash(kOptimizerFile, optimizerHash);
  if (!analyst.empty()) {
    FATHOM_TRY(const std::string hash, writeTensors(writer.folder() + "/" + kAnalystFile, analyst));
    writer.setHash(kAnalystFile, hash);
  }
  Json json;
  json["format"] = kStateFormat;
  json["loop"] = loopStateToJson(state);
  json["config"] = context.config;
  json["environment"] = context.environment;
  json["data"] = context.data;
  FATHOM_CHECK(writeFileAtomically(writer.folder() + "/" + kStateFile, json.dump(1) + "\n"));
  Json details;
  if (score) details["score"] = jsonReal(*score);
  details["epochs"] = state.clock.epochs;
  details["end_of_epoch"] = state.position.batch == 0;
  details["target_tokens"] = state.clock.targetTokens;
  return writer.commit(details);
}

Result<std::map<std::string, torch::Tensor>> readAnalystState(const std::string& checkpointPath) {
  const std::string path = checkpointPath + "/" + kAnalystFile;
  if (!fileExists(path)) return std::map<std::string, torch::Tensor>();
  return readTensors(path);
}

Result<LoadedState> readCheckpointState(const std::string& checkpointPath) {
  const std::string path = checkpointPath + "/" + kStateFile;
  FATHOM_TRY(const CheckpointManifest manifest, verifyCheckpoint(checkpointPath));
  FATHOM_TRY(const Json json, readJsonFile(path));
  if (!json.is_object() || !json.contains("format") || json["format"] != kStateFormat) {
    return dataErrorAt(path, 0, Phrase::tr("the checkpoint has another format than %1")(kStateFormat),
                       Phrase::tr("use the Fathom that wrote it"));
  }
  for (const char* key : {"loop", "config", "environment", "data"}) {
    if (!json.contains(key)) return dataErrorAt(path, 0, Phrase::tr("the checkpoint has no \"%1\"")(key));
  }
  FATHOM_TRY(LoopState loop, loopStateFromJson(json["loop"]));
  return LoadedState{std::move(loop), json["config"], json["environment"], json["data"]};
}

Status loadCheckpoint(const std::string& checkpointPath, Model& model, Optimizer* optimizer) {
  const std::string modelPath = checkpointPath + "/" + kModelFile;
  const auto inFile = [](Status status, const std::string& path) {
    if (status.ok()) return status;
    Error error = status.error();
    if (error.file.empty()) error.file = path;
    return Status(error);
  };
  const ParameterStore& store = model.parameters();
  const auto known = [&](const TensorEntry& entry) -> Status {
    const Parameter* parameter = store.find(entry.name);
    if (parameter == nullptr)
      return dataError(Phrase::tr("the weights hold '%1', which the model does not have")(entry.name));
    const torch::Tensor own = store.value(*parameter);
    if (own.sizes() == torch::IntArrayRef(entry.shape)) return {};
    std::ostringstream shapes;
    shapes << torch::IntArrayRef(entry.shape) << " in the weights, the model needs " << own.sizes();
    return dataError(Phrase::tr("parameter '%1' has shape %2")(entry.name, shapes.str()),
                     Phrase::tr("they belong to a model with other options"));
  };
  FATHOM_TRY(const auto values, readWeights(checkpointPath, known));
  FATHOM_CHECK(inFile(model.parameters().load(values), modelPath));
  if (optimizer == nullptr) return {};
  const std::string optimizerPath = checkpointPath + "/" + kOptimizerFile;
  FATHOM_TRY(const auto state, readTensors(optimizerPath));
  return inFile(optimizer->load(state), optimizerPath);
}

std::vector<std::string> configDifferences(const Json& before, const Json& now) {
  std::vector<std::string> differences;
  for (const auto& [key, value] : now.items()) {
    if (!before.contains(key)) continue;  // an option that did not exist then
    if (before[key] != value) differences.push_back(key + ": " + before[key].dump() + " -> " + value.dump());
  }
  return differences;
}

}  // namespace fathom
