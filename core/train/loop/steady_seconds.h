// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace fathom {

// Seconds of a clock that no time server sets; only differences mean something.
inline double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace fathom
