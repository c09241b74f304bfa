// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/kernels/kernel_table.h"

namespace fathom {

// The plug-in with our own kernels for a card: libfathom-kernels-cuda.so beside the engine or in ../lib of
// it, or the file that FATHOM_KERNELS names; FATHOM_KERNELS=off: none. Without one every operation is
// LibTorch's.
struct KernelPlugin {
  const KernelTable* table = nullptr;  // null: there is none, because of `reason`
  std::string file, reason;

  // The launch of a pass of kernels.list, all of which a table has that is not refused.
  template <typename... Calls>
  typename KernelPass<Calls...>::Launch launchOf(const KernelPass<Calls...>& pass) const {
    return reinterpret_cast<typename KernelPass<Calls...>::Launch>(find(pass.name).launch);
  }

 private:
  const KernelLaunch& find(std::string_view name) const;
};
// Looked for at the first call, which must come behind the loading of LibTorch's CUDA part. Thread-safe.
const KernelPlugin& kernelPlugin();

// One file looked at; `onHost`: the device is a stand-in, whose kernels run on the processor.
KernelPlugin openKernelPlugin(const std::string& file, bool onHost);

}  // namespace fathom
