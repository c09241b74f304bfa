// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/record/formats/safetensors_file.h"

namespace fathom {

// Named tensors in a safetensors file. Tensors are made contiguous CPU copies when they are not. Returns the
// SHA-256 of the file.
Result<std::string> writeTensors(const std::string& path,
                                 const std::vector<std::pair<std::string, torch::Tensor>>& tensors,
                                 const std::map<std::string, std::string>& metadata = {});

// Looks at the names and shapes of a file before room is made for any of them: a file with holes in it is as
// large as it likes.
using TensorCheck = std::function<Status(const TensorEntry& entry)>;
// All tensors of a file, on the CPU. Data error naming file and tensor for a dtype we do not know, memory
// error when they are larger than this machine's memory, and whatever `check` says; nothing is allocated
// before all of them passed.
Result<std::map<std::string, torch::Tensor>> readTensors(const std::string& path,
                                                         const TensorCheck& check = {});

// The number format with a safetensors name, or nothing.
std::optional<torch::ScalarType> scalarTypeOf(const std::string& dtype);
// Memory error when `bytes` of tensors are more than this machine has memory.
Status checkRoom(const std::string& path, std::uint64_t bytes);

}  // namespace fathom
