// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fathom {

// A family of own kernels. `fits` says whether a kernel that is loaded takes tensors like these, whose rows
// have `width` numbers (the last dimension): else the plain operations of LibTorch are meant.
struct KernelEntry {
  std::string id, title;
  bool (*fits)(const torch::TensorOptions& tensors, std::int64_t width) = nullptr;
};
const std::vector<KernelEntry>& kernelEntries();  // kernels.list

}  // namespace fathom
