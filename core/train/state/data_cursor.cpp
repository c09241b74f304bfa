// SPDX-License-Identifier: Apache-2.0
#include "core/train/state/data_cursor.h"

namespace fathom {

DataCursor::DataCursor(const Task& task, std::uint64_t seed, std::int64_t accumulation, DataPosition start,
                       LeftOver leftOver)
    : m_task(task), m_seed(seed), m_accumulation(accumulation), m_leftOver(leftOver), m_position(start) {
  m_order = task.epochOrder(seed, start.epoch);
  if (m_order.empty()) throw Failure(dataError(Phrase::tr("the training split has no batches")));
  // An epoch shorter than one update is one update.
  if (static_cast<std::int64_t>(m_order.size()) < accumulation) m_leftOver = LeftOver::Stepped;
}

PlannedBatch DataCursor::next() {
  const auto count = static_cast<std::int64_t>(m_order.size());
  const std::int64_t whole =
      m_leftOver == LeftOver::Stepped ? count : count / m_accumulation * m_accumulation;
  PlannedBatch planned;
  planned.index = m_order.at(static_cast<std::size_t>(m_position.batch));
  planned.epoch = m_position.epoch;
  ++m_position.batch;
  planned.lastOfEpoch = m_position.batch == whole;
  planned.lastOfUpdate =
      planned.lastOfEpoch || (m_position.batch < whole && m_position.batch % m_accumulation == 0);
  const std::int64_t end = m_leftOver == LeftOver::Dropped ? whole : count;
  if (m_position.batch == end) {
    m_position = {m_position.epoch + 1, 0};
    m_order = m_task.epochOrder(m_seed, m_position.epoch);
  }
  planned.after = m_position;
  planned.place = m_place++;
  if (planned.lastOfUpdate) m_place = 0;
  return planned;
}

double epochsRead(const DataPosition& position, std::int64_t batches) {
  return static_cast<double>(position.epoch) +
         static_cast<double>(position.batch) / static_cast<double>(batches);
}

std::int64_t mostBatchesOfUpdate(std::int64_t accumulation, LeftOver leftOver) {
  return leftOver == LeftOver::Carried ? 2 * accumulation - 1 : accumulation;
}

std::int64_t updatesPerEpoch(std::int64_t batches, std::int64_t accumulation, LeftOver leftOver) {
  if (leftOver == LeftOver::Stepped || batches < accumulation)
    return (batches + accumulation - 1) / accumulation;
  return batches / accumulation;
}

}  // namespace fathom
