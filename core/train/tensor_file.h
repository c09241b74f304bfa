// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace fathom {

// Named tensors in a safetensors file. Tensors are made contiguous CPU copies when they are not. Returns the
// SHA-256 of the file.
Result<std::string> writeTensors(const std::string& path,
                                 const std::vector<std::pair<std::string, torch::Tensor>>& tensors,
                                 const std::map<std::string, std::string>& metadata = {});

// All tensors of a file, on the CPU. Data error naming file and tensor for a dtype we do not know.
Result<std::map<std::string, torch::Tensor>> readTensors(const std::string& path);

}  // namespace fathom
