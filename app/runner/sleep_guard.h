// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace fathom {

// Keeps the machine from going to sleep by itself while runs train on it, by systemd's inhibitor, which ends
// with this process however it ends. Where there is none, nothing happens. One thread.
class SleepGuard {
 public:
  SleepGuard() = default;
  ~SleepGuard();
  SleepGuard(const SleepGuard&) = delete;
  SleepGuard& operator=(const SleepGuard&) = delete;

  // `training`: some run is at work here. The user's setting is asked when that begins.
  void watch(bool training);
  bool holds() const { return m_child.has_value(); }

 private:
  void release();
  bool m_training = false;
  std::optional<int> m_child;  // process of the inhibitor, leader of its group
};

}  // namespace fathom
