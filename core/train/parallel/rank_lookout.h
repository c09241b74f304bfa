// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace fathom {

// While it lives a thread of its own calls `look` ten times a second: for wishes and for ranks that are gone.
// What `look` throws is nobody's.
class RankLookout {
 public:
  explicit RankLookout(std::function<void()> look);
  ~RankLookout();
  RankLookout(const RankLookout&) = delete;
  RankLookout& operator=(const RankLookout&) = delete;

 private:
  void goOn();
  std::function<void()> m_look;
  std::mutex m_mutex;
  std::condition_variable m_wake;
  bool m_over = false;
  std::thread m_thread;
};

}  // namespace fathom
