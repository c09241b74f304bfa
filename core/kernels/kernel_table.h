// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/kernel_pass.h"

namespace fathom {

// What a plug-in with kernels hands out: one C function, `fathomKernelTable`, and this table behind it. Raw
// pointers, sizes and a stream (`void*`, CUDA's handle) go through it; LibTorch does not, so one plug-in
// serves any LibTorch of the same CUDA runtime. A change of this table, or of what a family's structures
// mean, is another version; a pass that is missing or takes structures of other sizes is refused by its name.
inline constexpr std::uint32_t kKernelTableVersion = 2;

struct KernelTable {
  std::uint32_t version = kKernelTableVersion;
  std::uint32_t bytes = sizeof(KernelTable);
  const char* made = "";  // what compiled it, for which cards
  // 1: the kernels run on the processor (core/kernels/host) and take readable addresses.
  std::int32_t onHost = 0;
  // In words, of what a launch returned.
  const char* (*errorText)(int error) = nullptr;

  // One for each pass of the families that are in the plug-in, found by its name.
  const KernelLaunch* launches = nullptr;
  std::uint32_t launchCount = 0;
};

inline constexpr const char* kKernelTableSymbol = "fathomKernelTable";
using KernelTableFunction = const KernelTable* (*)();

}  // namespace fathom
