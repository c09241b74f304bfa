// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

namespace fathom {

// Cancellation that reaches down to batch level. Copies share one flag; thread-safe.
class StopToken {
 public:
  StopToken() : m_flag(std::make_shared<std::atomic<int>>(0)) {}
  bool stopRequested() const { return m_flag->load(std::memory_order_relaxed) > 0; }
  // First request = save and leave; second = leave now.
  bool abortRequested() const { return m_flag->load(std::memory_order_relaxed) > 1; }
  void requestStop() const { m_flag->fetch_add(1, std::memory_order_relaxed); }
  void requestAbort() const { m_flag->store(2, std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<int>> m_flag;
};

}  // namespace fathom
