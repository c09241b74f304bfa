// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/save_signal.h"

#include <atomic>
#include <csignal>

namespace fathom {

namespace {
std::atomic<bool> s_saveWish{false};
}  // namespace

void catchSaveSignal() {
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = [](int) { s_saveWish.store(true); };
  ::sigaction(SIGUSR1, &action, nullptr);
}

bool takeSaveWish() {
  return s_saveWish.exchange(false);
}

}  // namespace fathom
