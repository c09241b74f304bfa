// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/tasks/host_batch.h"
#include "core/train/state/data_cursor.h"

namespace fathom {

struct TrainingBatch {
  HostBatch batch;  // empty where it is not ours
  PlannedBatch plan;
  bool ours = true;
};

// Makes batches on a thread of its own and keeps up to `depth` of them ready, so that next() hardly ever
// waits. next() is for one thread; an exception of the producer comes out of next(). The task and the cursor
// are used by the worker alone until this object is gone. Batches at places of an update that are not `ours`
// (another rank computes them) are planned and not made; called on the worker.
class BatchPrefetcher {
 public:
  using Ours = std::function<bool(std::int64_t place)>;
  BatchPrefetcher(const Task& task, DataCursor cursor, std::size_t depth, Ours ours = {});
  ~BatchPrefetcher();
  BatchPrefetcher(const BatchPrefetcher&) = delete;
  BatchPrefetcher& operator=(const BatchPrefetcher&) = delete;

  TrainingBatch next();
  // Seconds the last next() took.
  double lastWait() const { return m_lastWait; }

 private:
  void work();
  const Task& m_task;
  DataCursor m_cursor;
  std::size_t m_depth;
  Ours m_ours;
  std::deque<TrainingBatch> m_ready;
  std::exception_ptr m_failure;
  bool m_stop = false;
  bool m_resting = false;  // the worker waits for room
  bool m_awaited = false;  // next() waits for a batch
  double m_lastWait = 0;
  std::mutex m_mutex;
  std::condition_variable m_filled, m_taken;
  std::thread m_thread;
};

}  // namespace fathom
