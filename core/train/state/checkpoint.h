// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/options/time_unit.h"
#include "core/nn/models/model.h"
#include "core/nn/pretrained/checkpoint_weights.h"
#include "core/objectives/objective.h"
#include "core/optim/optimizer.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/train/state/data_cursor.h"

namespace fathom {

// Best validation so far. `score`: lower is better.
struct BestSoFar {
  double score = 0;
  std::int64_t step = 0;
};

// Everything of the loop that is not a tensor and not a function of these counters (docs/project_files.md
// §4): all random numbers and the learning rate are functions of the counters, so no generator state is kept.
struct LoopState {
  TrainingClock clock;
  DataPosition position;
  double seconds = 0;  // spent training, over all attempts
  std::optional<BestSoFar> best;
  std::int64_t sinceBest = 0;            // validations since then
  double epochLoss = 0, epochUnits = 0;  // sums since the epoch began
  NamedValues lastValidation;            // "valid.nll", ... of the last validation and the last scored one
  std::int64_t lastValidationStep = -1;
  std::string pendingValidation;  // "loss" or "score": a stop cut the validation of this update short
  Json detector = Json::object();
  Json lossScaler = Json::object();  // float16 only
};
Json loopStateToJson(const LoopState& state);
Result<LoopState> loopStateFromJson(const Json& json);

// Facts about the run that a checkpoint holds besides its tensors and loop state.
struct CheckpointContext {
  std::string runPath;
  int attempt = 1;
  Json config;              // effective options
  Json environment;         // bitExactEnvironment()
  Json data;                // hashes of the data files
  std::string resumedFrom;  // folder of the checkpoint that this attempt goes on from, or empty
  // Weights that no update changes, once beside the checkpoints: filled by the attempt's first save.
  std::optional<CheckpointFile> frozen;
};

// Writes model.safetensors, optimizer.safetensors and state.json and makes them visible in one step. `score`
// (lower is better) when this very state was validated. `analyst`: what the analyst of the run keeps, as
// analyst.safetensors; no file where it keeps nothing. Weights that are frozen (ParameterStore: no gradient)
// are in a file that all checkpoints of the run share.
Result<CheckpointManifest> saveCheckpoint(
    CheckpointContext& context, const LoopState& state, const Model& model, const Optimizer& optimizer,
    std::optional<double> score, const std::vector<std::pair<std::string, torch::Tensor>>& analyst = {});
// Empty where the checkpoint has none.
Result<std::map<std::string, torch::Tensor>> readAnalystState(const std::string& checkpointPath);

// A checkpoint after every byte was checked against its manifest.
struct LoadedState {
  LoopState loop;
  Json config, environment, data;
};
Result<LoadedState> readCheckpointState(const std::string& checkpointPath);
// Copies tensors into model and (if given) optimiser; data error naming the tensor that does not fit.
Status loadCheckpoint(const std::string& checkpointPath, Model& model, Optimizer* optimizer);

// Options in which two configurations differ, as "key: old -> new", for refusing a changed run.
std::vector<std::string> configDifferences(const Json& before, const Json& now);

}  // namespace fathom
