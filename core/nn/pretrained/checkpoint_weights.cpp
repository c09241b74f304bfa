// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/checkpoint_weights.h"

#include <vector>

#include "core/base/errors/error_key.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/checkpoint_folder.h"

namespace fathom {

bool isAverage(const std::string& folder) {
  return fileExists(folder + "/" + kAverageFile);
}

Status checkAverage(const std::string& folder) {
  const std::string file = folder + "/" + kModelFile;
  FATHOM_TRY(const Json average, readJsonFile(folder + "/" + kAverageFile));
  FATHOM_TRY(const std::string hash, sha256OfFile(file));
  if (memberText(average, "sha256") == hash) return {};
  return dataErrorAt(file, 0, Phrase::tr("the averaged weights were changed since they were written"),
                     Phrase::tr("average the checkpoints again"));
}

Result<std::map<std::string, torch::Tensor>> readWeights(const std::string& checkpointPath,
                                                         const TensorCheck& check) {
  std::vector<std::string> files = {checkpointPath + "/" + kModelFile};
  if (fileExists(checkpointManifestFile(checkpointPath))) {  // an average has none, and holds everything
    FATHOM_TRY(const CheckpointManifest manifest, readCheckpointManifest(checkpointPath));
    for (const CheckpointFile& file : manifest.shared) files.push_back(sharedFilePath(checkpointPath, file));
  }
  std::map<std::string, torch::Tensor> weights;
  for (const std::string& file : files) {
    const auto inFile = [&](const TensorEntry& entry) -> Status {
      const Status status = check ? check(entry) : Status();
      return status.ok() ? status : Status(aboutFile(file, status.error()));
    };
    FATHOM_TRY(auto tensors, readTensors(file, inFile));
    weights.merge(tensors);
  }
  return weights;
}

}  // namespace fathom
