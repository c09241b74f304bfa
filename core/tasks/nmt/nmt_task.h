// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "core/tasks/nmt/nmt_options.h"
#include "core/tasks/nmt/nmt_part.h"
#include "core/tasks/nmt/nmt_vocabulary.h"
#include "core/tasks/task.h"

namespace fathom {

// Task "nmt" (docs/translation.md §1, §3). Arrays of a batch, all i64, every length with the end mark:
//   source         [B, S]  left-padded             source_lengths [B]
//   target         [B, T]  right-padded            target_lengths [B]
//   prev_target    [B, T]  target with the end mark moved to the front (it acts as begin mark)
// Input-only batches have the first two. targetUnits = target tokens.
// sizes(): source_vocabulary, target_vocabulary, joined_vocabulary (1/0), pad_id, bos_id, eos_id, unk_id
// (target side),
//   source_pad_id, source_eos_id, longest_source, longest_target (tokens, of what is trained and evaluated
//   on).
// artifacts(): see NmtVocabulary. Scores: "bleu" (13a on plain text) first; with vocabulary `words`
// "bleu_tokens" first.
class NmtTask : public Task {
 public:
  static Result<std::unique_ptr<Task>> create(const OptionValues& values, const TaskSetup& setup);

  std::int64_t exampleCount(DataSplit split) const override { return part(split).size(); }
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
  Json statistics() const override { return m_statistics; }
  std::map<std::string, std::string> artifacts() const override { return m_vocabulary.artifacts; }
  ExampleTexts exampleTexts(DataSplit split, ExampleId example) const override;
  // Lines of the file without its heading.
  std::int64_t fileRow(DataSplit split, ExampleId example) const override;
  TokenRows pieces(const HostBatch& batch, std::int64_t row) const override;
  void complete(std::vector<Prediction>& predictions) const override;
  Result<std::vector<TaskScore>> score(DataSplit split,
                                       const std::vector<Prediction>& predictions) const override;
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string> lines,
                                                 TextFindings* findings) const override;

 private:
  NmtTask(NmtOptions options, NmtVocabulary vocabulary)
      : m_options(std::move(options)), m_vocabulary(std::move(vocabulary)) {}
  Status encode(std::array<NmtPart, 3> parts, const TaskSetup& setup);
  const NmtPart& part(DataSplit split) const { return m_parts[static_cast<std::size_t>(split)]; }
  TokenBatching batchingOf(DataSplit split) const;
  HostBatch batchOfPairs(DataSplit split, const std::vector<std::int64_t>& pairs) const;
  const std::vector<std::int64_t>& batchPairs(DataSplit split, std::int64_t batch) const;

  NmtOptions m_options;
  NmtVocabulary m_vocabulary;
  std::array<NmtPart, 3> m_parts;  // by DataSplit
  std::vector<DataHash> m_hashes;
  Json m_statistics = Json::object();
  double m_entropy = 0;
};

}  // namespace fathom
