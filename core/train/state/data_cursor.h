// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/tasks/task.h"
#include "core/train/parts/train_settings.h"

namespace fathom {

// Position of a run in its data: a pure function of (seed, epoch) and two counters, so a checkpoint stores
// only the counters.
struct DataPosition {
  std::int64_t epoch = 0;  // 0-based epoch that is being read
  std::int64_t batch = 0;  // batches of it already given out
  bool operator==(const DataPosition&) const = default;
};

// One batch of an update.
struct PlannedBatch {
  std::int64_t index = 0;     // task numbering
  std::int64_t epoch = 0;     // it is read in
  std::int64_t place = 0;     // in its update, from 0
  bool lastOfUpdate = false;  // the update is applied after this batch
  bool lastOfEpoch = false;
  DataPosition after;  // position once this batch is done
};

// Walks through epochs without end: `accumulation` consecutive batches form one update, the last group of an
// epoch as `leftOver` says (docs/optimisers.md §7). Not thread-safe.
class DataCursor {
 public:
  DataCursor(const Task& task, std::uint64_t seed, std::int64_t accumulation, DataPosition start,
             LeftOver leftOver = LeftOver::Stepped);
  PlannedBatch next();

 private:
  const Task& m_task;
  std::uint64_t m_seed;
  std::int64_t m_accumulation;
  LeftOver m_leftOver;
  DataPosition m_position;
  std::int64_t m_place = 0;  // of the next one in its update
  std::vector<std::int64_t> m_order;
};

// Epochs read so far, with the part of the current one; an epoch has `batches` batches.
double epochsRead(const DataPosition& position, std::int64_t batches);

// The most batches that an update can have: what is carried over joins a whole one.
std::int64_t mostBatchesOfUpdate(std::int64_t accumulation, LeftOver leftOver);

// Updates in one epoch.
std::int64_t updatesPerEpoch(std::int64_t batches, std::int64_t accumulation,
                             LeftOver leftOver = LeftOver::Stepped);

}  // namespace fathom
