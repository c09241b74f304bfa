// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/runner/ssh/relay_channel.h"
#include "core/base/threads/progress.h"

namespace fathom {

// Fetches LibTorch on the host, by its own pip and with the sums of the wheels, to <root>/libtorch-<version>;
// its folder of libraries. It goes on there when the connection is lost, and is waited for when it is called
// again. Unavailable where the host has no network or no pip.
Result<std::string> fetchTorchThere(RelayChannel& channel, const Json& facts, Progress& progress,
                                    const StopToken& stop);

}  // namespace fathom
