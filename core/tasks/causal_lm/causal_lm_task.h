// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>

#include "core/tasks/causal_lm/causal_lm_options.h"
#include "core/tasks/causal_lm/causal_lm_text.h"
#include "core/tasks/causal_lm/causal_lm_vocabulary.h"
#include "core/tasks/task.h"

namespace fathom {

// Task "causal_lm" (docs/causal_language_model.md). A part is one stream of tokens, every document behind the
// mark; an example is a block of it. Arrays of a batch, all i64:
//   tokens   [B, T]  right-padded
//   lengths  [B]
//   labels   [B, T]  the token behind each place; -1 in the padding
// targetUnits: tokens that are predicted. Batches of free text have no labels: their texts are to be written
// on. sizes(): vocabulary, pad_id, eos_id (the mark), longest, prefix_blank. A prediction's ids: for a block
// the likeliest token at every place, for a free text what was written. Score, in per cent: "token_accuracy".
class CausalLmTask : public Task {
 public:
  static Result<std::unique_ptr<Task>> create(const OptionValues& values, const TaskSetup& setup);

  std::int64_t exampleCount(DataSplit split) const override;
  std::int64_t batchCount(DataSplit split) const override;
  std::int64_t batchTargetUnits(DataSplit split, std::int64_t batch) const override;
  HostBatch makeBatch(DataSplit split, std::int64_t batch) const override;
  std::vector<ExampleId> batchedExamples(DataSplit split) const override;
  std::vector<std::vector<ExampleId>> planExamples(DataSplit split,
                                                   const std::vector<ExampleId>& examples) const override;
  HostBatch makeBatchOf(DataSplit split, std::span<const ExampleId> examples) const override;
  std::map<std::string, std::int64_t> sizes() const override;
  double targetUnigramEntropy() const override { return m_entropy; }
  std::vector<DataHash> dataHashes() const override { return m_hashes; }
  Json statistics() const override;
  std::map<std::string, std::string> artifacts() const override { return m_vocabulary.artifacts; }
  ExampleTexts exampleTexts(DataSplit split, ExampleId example) const override;
  TokenRows pieces(const HostBatch& batch, std::int64_t row) const override;
  void complete(std::vector<Prediction>& predictions) const override;
  Result<std::vector<TaskScore>> score(DataSplit split,
                                       const std::vector<Prediction>& predictions) const override;
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string> lines,
                                                 TextFindings* findings) const override;

 private:
  using Tokens = std::vector<std::int32_t>;
  CausalLmTask(CausalLmOptions options, CausalVocabulary vocabulary)
      : m_options(std::move(options)), m_vocabulary(std::move(vocabulary)) {}
  Status prepare(const std::array<CausalText, 3>& texts, const TaskSetup& setup);
  const Tokens& stream(DataSplit split) const { return m_streams[static_cast<std::size_t>(split)]; }
  // Tokens of a block, and those behind each of them.
  std::span<const std::int32_t> inputs(DataSplit split, std::int64_t block) const;
  std::span<const std::int32_t> labels(DataSplit split, std::int64_t block) const;
  std::string decoded(std::span<const std::int32_t> tokens) const;

  CausalLmOptions m_options;
  CausalVocabulary m_vocabulary;
  std::array<Tokens, 3> m_streams;  // by DataSplit
  std::vector<DataHash> m_hashes;
  Json m_statistics = Json::object();
  double m_entropy = 0;
};

}  // namespace fathom
