// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/tasks/task.h"

namespace fathom {

// Endless translation batches of one shape for benches: sentences of 22 to 28 tokens, as max-token batching
// makes them, source left padded, target right padded. Lengths are the same in every batch, tokens are not.
// Arrays "source", "prev_target", "target" i64 [rows, 28]; pad 1, eos 2.
class BenchStepTask final : public Task {
 public:
  // `tokens`: padded tokens of a batch, each side.
  BenchStepTask(std::int64_t tokens, std::int64_t vocabulary);
  HostBatch makeBatch(DataSplit split, std::int64_t batch) const override;
  std::int64_t exampleCount(DataSplit) const override { return kBatches * m_rows; }
  std::int64_t batchCount(DataSplit) const override { return kBatches; }
  std::int64_t batchTargetUnits(DataSplit, std::int64_t) const override;
  std::map<std::string, std::int64_t> sizes() const override;
  std::vector<DataHash> dataHashes() const override { return {}; }
  Json statistics() const override { return Json::object(); }
  ExampleTexts exampleTexts(DataSplit, ExampleId) const override { return {}; }
  void complete(std::vector<Prediction>&) const override {}
  Result<std::vector<TaskScore>> score(DataSplit, const std::vector<Prediction>&) const override {
    return std::vector<TaskScore>();
  }
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string>, TextFindings*) const override {
    return std::vector<HostBatch>();
  }

 private:
  static constexpr std::int64_t kBatches = 64;
  std::int64_t m_rows, m_vocabulary;
  std::vector<std::int64_t> m_sourceLengths, m_targetLengths;
};

}  // namespace fathom
