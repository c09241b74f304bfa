// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/device_address.h"
#include "core/kernels/kernel_plugin.h"

namespace fathom {

// Puts a pass of the plug-in on the stream of `device`, which must be the current one; a device fault that
// names the pass where that fails.
template <typename... Calls>
void launchPass(const KernelPass<Calls...>& pass, const torch::Device& device, const Calls&... calls) {
  const auto launch = kernelPlugin().launchOf(pass);
  putOnStream(pass.name,
              [launch, stream = deviceStream(device), calls...] { return launch(calls..., stream); });
}

}  // namespace fathom
