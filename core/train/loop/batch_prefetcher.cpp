// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/batch_prefetcher.h"

#include <chrono>

#include "core/base/threads/thread_start.h"

namespace fathom {

BatchPrefetcher::BatchPrefetcher(const Task& task, DataCursor cursor, std::size_t depth, Ours ours)
    : m_task(task), m_cursor(std::move(cursor)), m_depth(depth), m_ours(std::move(ours)) {
  m_thread = startThread([this] { work(); });
}

BatchPrefetcher::~BatchPrefetcher() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_taken.notify_all();
  m_thread.join();
}

void BatchPrefetcher::work() {
  try {
    while (true) {
      TrainingBatch made;
      made.plan = m_cursor.next();
      made.ours = !m_ours || m_ours(made.plan.place);
      if (made.ours) made.batch = m_task.makeTrainBatch(made.plan.epoch, made.plan.index);
      std::unique_lock lock(m_mutex);
      // A full queue is filled up again when half of it is gone: the trainer seldom has to wake anybody.
      if (m_ready.size() >= m_depth) {
        m_resting = true;
        m_taken.wait(lock, [this] { return m_stop || m_ready.size() <= m_depth / 2; });
        m_resting = false;
      }
      if (m_stop) return;
      m_ready.push_back(std::move(made));
      const bool awaited = m_awaited;
      lock.unlock();
      if (awaited) m_filled.notify_one();
    }
  } catch (...) {
    const std::lock_guard lock(m_mutex);
    m_failure = std::current_exception();
    m_filled.notify_one();
  }
}

TrainingBatch BatchPrefetcher::next() {
  const auto started = std::chrono::steady_clock::now();
  std::unique_lock lock(m_mutex);
  m_awaited = true;
  m_filled.wait(lock, [this] { return !m_ready.empty() || m_failure; });
  m_awaited = false;
  if (m_ready.empty()) std::rethrow_exception(m_failure);
  TrainingBatch taken = std::move(m_ready.front());
  m_ready.pop_front();
  const bool wake = m_resting && m_ready.size() <= m_depth / 2;
  lock.unlock();
  if (wake) m_taken.notify_one();
  m_lastWait = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return taken;
}

}  // namespace fathom
