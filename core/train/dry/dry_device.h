// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <optional>

#include "core/base/files/memory_group.h"

namespace fathom {

// Free memory where a model would be: of the machine, this process's own counting as free; or of a CUDA
// device.
std::optional<MemoryRoom> deviceRoom(const torch::Device& device);
// Bytes that a program takes on an accelerator before it holds a tensor.
std::int64_t deviceProgramBytes();

}  // namespace fathom
