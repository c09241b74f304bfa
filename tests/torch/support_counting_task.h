// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/tasks/task.h"

namespace fathom::test {

// A data set of numbered batches.
class CountingTask final : public Task {
 public:
  explicit CountingTask(std::int64_t batches, std::int64_t broken = -1)
      : m_batches(batches), m_broken(broken) {}
  std::int64_t exampleCount(DataSplit) const override { return m_batches; }
  std::int64_t batchCount(DataSplit) const override { return m_batches; }
  std::int64_t batchTargetUnits(DataSplit, std::int64_t) const override { return 1; }
  HostBatch makeBatch(DataSplit, std::int64_t batch) const override {
    if (batch == m_broken) throw Failure(dataError("batch " + std::to_string(batch) + " is broken"));
    HostBatch made;
    made.examples = {ExampleId(batch)};
    made.targetUnits = 1;
    return made;
  }
  // A thousand up in every epoch, so that whoever asks for an epoch can be told from who does not.
  HostBatch makeTrainBatch(std::int64_t epoch, std::int64_t batch) const override {
    HostBatch made = makeBatch(DataSplit::Train, batch);
    made.examples.front() = ExampleId(batch + 1000 * epoch);
    return made;
  }
  std::map<std::string, std::int64_t> sizes() const override { return {}; }
  std::vector<DataHash> dataHashes() const override { return {}; }
  Json statistics() const override { return {}; }
  ExampleTexts exampleTexts(DataSplit, ExampleId) const override { return {}; }
  void complete(std::vector<Prediction>&) const override {}
  Result<std::vector<TaskScore>> score(DataSplit, const std::vector<Prediction>&) const override {
    return std::vector<TaskScore>{};
  }
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string>, TextFindings*) const override {
    return std::vector<HostBatch>{};
  }

 private:
  std::int64_t m_batches, m_broken;
};

}  // namespace fathom::test
