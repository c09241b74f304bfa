// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "core/tasks/task.h"

namespace fathom {

// Task "majority" of the tests: which letter is most frequent in a made-up word? It is a task like any other,
// in a folder of its own, with data that no file holds, metrics and statistics of its own.
// Arrays of a batch, all i64: tokens [B, T] right-padded, lengths [B], labels [B]. targetUnits = examples.
// sizes(): vocabulary, pad_id, labels, longest. A prediction's ids: the letters, the most likely one first.
// Scores: "accuracy" (%), "mean_rank" of the right letter, from 1.
class MajorityTask : public Task {
 public:
  static Result<std::unique_ptr<Task>> create(const OptionValues& options, const TaskSetup& setup);

  std::int64_t exampleCount(DataSplit split) const override;
  std::int64_t batchCount(DataSplit split) const override;
  std::int64_t batchTargetUnits(DataSplit split, std::int64_t batch) const override;
  HostBatch makeBatch(DataSplit split, std::int64_t batch) const override;
  std::vector<ExampleId> batchedExamples(DataSplit split) const override;
  std::vector<std::vector<ExampleId>> planExamples(DataSplit split,
                                                   const std::vector<ExampleId>& examples) const override;
  HostBatch makeBatchOf(DataSplit split, std::span<const ExampleId> examples) const override;
  std::map<std::string, std::int64_t> sizes() const override;
  std::vector<DataHash> dataHashes() const override { return {}; }
  Json statistics() const override;
  ExampleTexts exampleTexts(DataSplit split, ExampleId example) const override;
  TokenRows pieces(const HostBatch& batch, std::int64_t row) const override;
  void complete(std::vector<Prediction>& predictions) const override;
  Result<std::vector<TaskScore>> score(DataSplit split,
                                       const std::vector<Prediction>& predictions) const override;
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string> lines,
                                                 TextFindings* findings) const override;

 private:
  struct Word {
    std::vector<std::int64_t> letters;  // 0, 1, ...
    std::int64_t label = 0;             // the most frequent one; of several the first
  };
  explicit MajorityTask(const OptionValues& options);
  const std::vector<Word>& words(DataSplit split) const { return m_words[static_cast<std::size_t>(split)]; }
  HostBatch batchOf(const std::vector<const Word*>& words, std::vector<ExampleId> examples) const;
  std::int64_t m_letters, m_longest, m_batch;
  std::array<std::vector<Word>, 3> m_words;  // by DataSplit
};

}  // namespace fathom
