// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "core/tasks/mlm/mlm_examples.h"
#include "core/tasks/mlm/mlm_options.h"
#include "core/tasks/mlm/mlm_vocabulary.h"
#include "core/tasks/task.h"

namespace fathom {

// Task "mlm" (docs/masked_language_model.md). Arrays of a batch, all i64:
//   tokens            [B, T]  masked input, right-padded
//   segments          [B, T]  0 = [CLS] A [SEP], 1 = B [SEP]; 0 in the padding
//   lengths           [B]
//   masked_positions  [M]     row · T + column of every masked position, ascending
//   masked_labels     [M]     what stood there
//   next_labels       [B]     1 = the second segment comes from another place
// targetUnits = M. Batches of free text have neither masked_labels nor next_labels; their masked positions
// are the places of "[MASK]" ("<mask>" with byte-level BPE) in the line. sizes(): vocabulary, pad_id, cls_id,
// sep_id, mask_id, unk_id, longest, segments (2), lower_case, prefix_blank, own_words (words are cut as no
// tokenizer.json can say). A prediction's ids: the predicted token of each masked
// position in order, then 0 or 1 for the next sentence. Scores, in per cent: "masked_accuracy" first,
// "next_accuracy".
class MlmTask : public Task {
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
  MlmTask(MlmOptions options, MlmVocabulary vocabulary)
      : m_options(std::move(options)), m_vocabulary(std::move(vocabulary)) {}
  Status prepare(const std::array<MlmText, 3>& texts, const TaskSetup& setup);
  const std::vector<MlmExample>& examples(DataSplit split) const {
    return m_examples[static_cast<std::size_t>(split)];
  }
  // Examples [first, second) of a batch.
  std::pair<std::int64_t, std::int64_t> batchRange(DataSplit split, std::int64_t batch) const;

  MlmOptions m_options;
  MlmVocabulary m_vocabulary;
  std::array<std::vector<MlmExample>, 3> m_examples;  // by DataSplit
  std::vector<DataHash> m_hashes;
  Json m_statistics = Json::object();
  double m_entropy = 0;
};

}  // namespace fathom
