// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <map>
#include <string>

#include "core/nn/pretrained/tensor_file.h"

namespace fathom {

// In the folder of a checkpoint.
inline constexpr const char* kModelFile = "model.safetensors";
// In that of an average: which checkpoints, and the hash of the weights.
inline constexpr const char* kAverageFile = "average.json";
bool isAverage(const std::string& folder);
// Its weights are those that were written.
Status checkAverage(const std::string& folder);

// All weights of a checkpoint or of an average, the frozen ones among them. `check` as in readTensors().
Result<std::map<std::string, torch::Tensor>> readWeights(const std::string& checkpointPath,
                                                         const TensorCheck& check = {});

}  // namespace fathom
