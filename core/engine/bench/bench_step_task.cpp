// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_step_task.h"

#include <algorithm>
#include <numeric>

#include "core/base/numbers/random_stream.h"

namespace fathom {

namespace {
constexpr std::int64_t kLongest = 28, kShortest = 22, kPad = 1, kEos = 2, kFirstPiece = 4;
}  // namespace

BenchStepTask::BenchStepTask(std::int64_t tokens, std::int64_t vocabulary)
    : m_rows(std::max<std::int64_t>(8, tokens / kLongest / 8 * 8)), m_vocabulary(vocabulary) {
  RandomStream random(streamSeed(1, "bench.nmt_step"));
  for (std::int64_t row = 0; row < m_rows; ++row) {
    for (std::vector<std::int64_t>* lengths : {&m_sourceLengths, &m_targetLengths}) {
      const auto drawn = kShortest + static_cast<std::int64_t>(random.below(kLongest - kShortest + 1));
      lengths->push_back(row == 0 ? kLongest : drawn);
    }
  }
}

HostBatch BenchStepTask::makeBatch(DataSplit, std::int64_t index) const {
  RandomStream random(streamSeed(1, "bench.nmt_step.tokens", {index}));
  const auto token = [&] {
    return kFirstPiece +
           static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(m_vocabulary - kFirstPiece)));
  };
  HostBatch batch;
  for (const char* name : {"source", "prev_target", "target"}) {
    HostArray array(HostDtype::I64, {m_rows, kLongest});
    std::ranges::fill(array.values<std::int64_t>(), kPad);
    batch.arrays.emplace(name, std::move(array));
  }
  const auto source = batch.arrays.at("source").values<std::int64_t>();
  const auto input = batch.arrays.at("prev_target").values<std::int64_t>();
  const auto target = batch.arrays.at("target").values<std::int64_t>();
  for (std::int64_t row = 0; row < m_rows; ++row) {
    const auto at = [&](std::int64_t column) { return static_cast<std::size_t>(row * kLongest + column); };
    const std::int64_t s = m_sourceLengths[static_cast<std::size_t>(row)];
    const std::int64_t t = m_targetLengths[static_cast<std::size_t>(row)];
    for (std::int64_t i = kLongest - s; i < kLongest - 1; ++i) source[at(i)] = token();
    source[at(kLongest - 1)] = kEos;
    for (std::int64_t i = 0; i < t - 1; ++i) target[at(i)] = token();
    target[at(t - 1)] = kEos;
    input[at(0)] = kEos;
    for (std::int64_t i = 1; i < t; ++i) input[at(i)] = target[at(i - 1)];
    batch.examples.emplace_back(index * m_rows + row);
  }
  batch.targetUnits = batchTargetUnits(DataSplit::Train, index);
  batch.paddedUnits = m_rows * kLongest;
  return batch;
}

std::int64_t BenchStepTask::batchTargetUnits(DataSplit, std::int64_t) const {
  return std::accumulate(m_targetLengths.begin(), m_targetLengths.end(), std::int64_t{0});
}

std::map<std::string, std::int64_t> BenchStepTask::sizes() const {
  return {{"source_vocabulary", m_vocabulary},
          {"target_vocabulary", m_vocabulary},
          {"joined_vocabulary", 1},
          {"pad_id", kPad},
          {"bos_id", 0},
          {"eos_id", kEos},
          {"unk_id", 3}};
}

}  // namespace fathom
