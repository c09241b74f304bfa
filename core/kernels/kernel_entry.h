// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/kernels/kernel_pass.h"
#include "core/kernels/kernel_way.h"

namespace fathom {

// A family of own kernels, and what they and the processor's code for the same pass take.
struct KernelEntry {
  std::string id, title;
  KernelWays ways;
  std::vector<KernelLaunch> passes;  // what a plug-in must have for it, without launches
};
const std::vector<KernelEntry>& kernelEntries();  // kernels.list

}  // namespace fathom
