// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <thread>

// Waiting for another process or thread: for a condition, never for a time, and never for ever. (With an
// event loop: waitUntil, staysSo and settled of gui/support_window_fixture.h.)
namespace fathom::test {

// Asks every five milliseconds; false when it has not become true after `seconds`.
template <typename Ready>
bool waitFor(Ready ready, int seconds = 20) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (!ready()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace fathom::test
