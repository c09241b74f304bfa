// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/rank_lookout.h"

#include <chrono>
#include <utility>

#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"

namespace fathom {

RankLookout::RankLookout(std::function<void()> look)
    : m_look(std::move(look)), m_thread(startThread([this] { goOn(); })) {}

RankLookout::~RankLookout() {
  {
    const std::lock_guard lock(m_mutex);
    m_over = true;
  }
  m_wake.notify_all();
  m_thread.join();
}

// Ranks that cannot be asked are found gone by whoever waits for them.
void RankLookout::goOn() {
  constexpr std::chrono::milliseconds kPause{100};
  std::unique_lock lock(m_mutex);
  while (!m_over) {
    lock.unlock();
    (void)errorThrownBy(m_look);
    lock.lock();
    m_wake.wait_for(lock, kPause, [this] { return m_over; });
  }
}

}  // namespace fathom
