// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fathom {

// Grid of a launch: blocks of `threads` threads (whole warps), each with `sharedBytes` of shared memory.
struct LaunchShape {
  std::int64_t blocks = 0;  // below 2^31
  unsigned blocksY = 1;
  unsigned threads = 0;
  unsigned sharedBytes = 0;
};

}  // namespace fathom
