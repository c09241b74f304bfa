// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/checkpoint_weights.h"

#include <vector>

#include "core/base/errors/error_key.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/checkpoint_folder.h"

namespace fathom {

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
