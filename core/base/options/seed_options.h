// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fathom {

// True if an option belongs to the configuration of a run: the seed, where it runs (device, graphs, threads)
// and what is analysed beside the training do not.
constexpr bool setsRunsApart(std::string_view key) {
  return key != "seed" && key != "device" && key != "device.graphs" && key != "threads" &&
         !key.starts_with("analysis.");
}

}  // namespace fathom
