// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/run_encoder.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/nn/pretrained/checkpoint_weights.h"
#include "core/nn/pretrained/option_names.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

bool isRun(const fs::path& folder) {
  const RunFolder run(folder.string());
  return run.exists() && folderExists(run.attemptsPath());
}

Result<std::string> checkpointOf(const std::string& run, const std::string& path) {
  if (!isRun(path)) return path;
  std::vector<std::string> damaged;
  return usableCheckpoint(run, damaged);
}

// True for what the next model may begin with: heads of a task belong to that task.
bool goesOn(const std::string& name) {
  constexpr const char* kParts[] = {"embedding.", "encoder.", "global.", "decoder.",
                                    "pooler.",    "mlm.",     "nsp."};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](const char* part) { return name.starts_with(part); });
}

// Checks every byte of a checkpoint, of an average its weights.
Status checkBytes(const std::string& checkpoint) {
  if (fileExists(checkpointManifestFile(checkpoint))) {
    FATHOM_TRY(const CheckpointManifest manifest, verifyCheckpoint(checkpoint));
    return {};
  }
  return checkAverage(checkpoint);
}

}  // namespace

std::optional<std::string> runOfWeights(const std::string& path) {
  const fs::path folder = fs::path(absolutePath(path)).lexically_normal();
  if (isRun(folder)) return folder.string();
  // RUN/checkpoints/NAME, RUN/averages/NAME; an average may lie elsewhere and then knows no options.
  const fs::path place = folder.has_filename() ? folder : folder.parent_path();
  const fs::path run = place.parent_path().parent_path();
  const bool inside = fileExists(checkpointManifestFile(place.string())) || isAverage(place.string());
  return inside && isRun(run) ? std::optional<std::string>(run.string()) : std::nullopt;
}

Json architectureOf(const Json& options) {
  const OptionSchema architecture(nnOptionFields(), {});
  Json own = Json::object();
  for (const auto& [key, value] : options.items())
    if (architecture.find(key) != nullptr && !key.ends_with(".weights")) own[key] = value;
  return own;
}

Result<std::int64_t> runTokenRows(const std::string& run, const std::string& path) {
  FATHOM_TRY(const std::string checkpoint, checkpointOf(run, path));
  std::vector<std::string> files = {checkpoint + "/" + kModelFile};
  if (fileExists(checkpointManifestFile(checkpoint))) {
    FATHOM_TRY(const CheckpointManifest manifest, readCheckpointManifest(checkpoint));
    for (const CheckpointFile& file : manifest.shared) files.push_back(sharedFilePath(checkpoint, file));
  }
  for (const std::string& file : files) {
    FATHOM_TRY(const SafetensorsFile head, SafetensorsFile::open(file));
    const TensorEntry* table = head.find("embedding.token.weight");
    if (table != nullptr && table->shape.size() == 2) return table->shape[0];
  }
  return std::int64_t{0};
}

Result<EncoderWeights> readRunEncoder(const std::string& run, const std::string& path) {
  FATHOM_TRY(const RunFolder folder, RunFolder::open(run));
  FATHOM_TRY(const RunIdentity identity, folder.identity());
  const int attempt = folder.lastAttempt();
  if (attempt == 0) return dataError(Phrase::tr("run %1 was never started")(run));
  FATHOM_TRY(const RunConfig config, readRunConfig(folder.configPath(attempt)));
  EncoderWeights weights;
  weights.options = architectureOf(config.options);
  const std::string model = weights.model();
  if (model != "bert" && model != "extra_layers" && model != "etc" && !weights.causal())
    return dataError(Phrase::tr("run %1 trained the model %2")(run, model),
                     Phrase::tr("weights come from a run of bert, extra_layers, etc or causal_decoder"));
  const bool roberta = memberText(weights.options, kBertPositions, "row") == "non_pad";
  weights.kind = weights.causal() ? "gpt2" : roberta ? "roberta" : "bert";
  weights.run = identity.uuid;
  FATHOM_TRY(const std::string checkpoint, checkpointOf(run, path));
  weights.checkpoint = fs::path(checkpoint).lexically_normal().filename().string();
  std::unique_ptr<CheckpointLock> held;  // retention of a run that goes on leaves it alone
  if (fileExists(checkpointManifestFile(checkpoint))) {
    FATHOM_TRY(held, CheckpointLock::share(checkpoint));
  }
  FATHOM_CHECK(checkBytes(checkpoint));
  FATHOM_TRY(weights.tensors, readWeights(checkpoint));
  weights.file = checkpoint + "/" + kModelFile;
  const auto table = weights.tensors.find("embedding.token.weight");
  if (table != weights.tensors.end() && table->second.dim() == 2) weights.vocabulary = table->second.size(0);
  for (const auto& [name, tensor] : weights.tensors)
    if (!goesOn(name)) weights.ignored.push_back(name);
  for (const std::string& name : weights.ignored) weights.tensors.erase(name);
  return weights;
}

}  // namespace fathom
