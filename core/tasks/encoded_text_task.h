// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/data_options.h"
#include "core/tasks/task.h"
#include "core/tasks/text_encoding.h"

namespace fathom {

// Options that tasks on encoded texts share, and what they say.
struct EncodedTextOptions : DataFiles {
  double validationShare = 0;  // 0 where a validation file is named
  std::int64_t examples = 32;  // in a batch
};
std::vector<OptionField> encodedTextFields();
// Fields of files whose records are no lines.
std::vector<OptionField> encodedRecordFields();
std::vector<OptionRule> encodedTextRules();
EncodedTextOptions encodedTextOptions(const OptionValues& values);
inline constexpr std::array<DataSplit, 3> kEverySplit = {DataSplit::Train, DataSplit::Validation,
                                                         DataSplit::Test};
// As named for a part; "" = none.
const std::string& fileOfPart(const DataFiles& files, DataSplit split);
// Metrics of such tasks for the loop's scalars, in their own words: a loss is one per example.
Metrics encodedTextMetrics(const Metrics& own = {});

// Review of their predictions: gold lies in the files of the parts.
TaskReview reviewOfParts(const char* kind);

// Choice, in these words, whether places in the padding of a row count too, as in released code; its value.
OptionField positionsField(const std::string& key, const std::string& title, const std::string& help,
                           bool countsPadding);
bool countsPadding(const OptionValues& values, const std::string& key);

// Which of `groups` groups are kept apart for validation: a share of them, at least one and never all, drawn
// from the split's seed. Examples of one group stay together.
std::vector<bool> groupsKeptApart(std::int64_t groups, double share, std::uint64_t splitSeed);

// The phase that cuts the texts of a part into pieces: progress and stop.
class CuttingTexts {
 public:
  // "records"
  CuttingTexts(const TaskSetup& setup, const char* unit, std::size_t count);
  Status next();  // another one is cut; interrupted when stop asks

 private:
  const TaskSetup& m_setup;
  std::int64_t m_done = 0;
};

// A task whose examples are rows of pieces for an encoder (docs/fine_tuning.md §2). Training batches are
// drawn anew for every epoch, the short one comes last; the other parts are sorted by length. A batch has
//   tokens, segments  [R, T] i64   padding has the pad id and segment 0
//   lengths           [R] i64
// and what the task adds; how many rows an example has is the task's own affair.
class EncodedTextTask : public Task {
 public:
  std::int64_t exampleCount(DataSplit split) const override;
  std::int64_t batchCount(DataSplit split) const override;
  std::int64_t batchTargetUnits(DataSplit split, std::int64_t batch) const override;
  HostBatch makeBatch(DataSplit split, std::int64_t batch) const override;
  HostBatch makeTrainBatch(std::int64_t epoch, std::int64_t batch) const override;
  std::vector<ExampleId> batchedExamples(DataSplit split) const override;
  std::vector<std::vector<ExampleId>> planExamples(DataSplit split,
                                                   const std::vector<ExampleId>& examples) const override;
  HostBatch makeBatchOf(DataSplit split, std::span<const ExampleId> examples) const override;
  std::vector<std::int64_t> epochOrder(std::uint64_t seed, std::int64_t epoch) const override;
  std::map<std::string, std::int64_t> sizes() const override;
  std::vector<DataHash> dataHashes() const override { return m_hashes; }
  Json statistics() const override;
  std::map<std::string, std::string> artifacts() const override { return m_encoding.artifacts(); }
  TokenRows pieces(const HostBatch& batch, std::int64_t row) const override;
  Result<std::vector<TaskScore>> score(DataSplit split,
                                       const std::vector<Prediction>& predictions) const final;
  Result<std::map<std::string, std::string>> submission(
      DataSplit split, const std::vector<Prediction>& predictions) const final;
  // By batchesFromRequests; a task overrides one of the two.
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string> lines,
                                                 TextFindings* findings) const override;

 protected:
  // Completed predictions of a part, one of each example, in their order.
  using Ordered = std::vector<const Prediction*>;
  virtual bool labelled(DataSplit split) const = 0;
  virtual Result<std::vector<TaskScore>> scoresOf(DataSplit split, const Ordered& predictions) const = 0;
  virtual std::map<std::string, std::string> filesOf(DataSplit split, const Ordered& predictions) const = 0;
  EncodedTextTask(TextEncoding encoding, std::int64_t examples, std::uint64_t seed);
  // Widest row of each example of a part. Once, while the task is made.
  void setPart(DataSplit split, std::vector<std::int32_t> widths);
  // Examples that exist, in their order.
  virtual HostBatch batchOf(DataSplit split, std::span<const ExampleId> examples) const = 0;
  // Free input, by the same rule of batches: places in `widths`.
  std::vector<std::vector<ExampleId>> planFree(const std::vector<std::int32_t>& widths) const;
  void checkExample(DataSplit split, ExampleId example) const;
  struct LeftOut {
    const char* what;  // "questions"
    std::int64_t count = 0;
    std::string why;  // the first one was
  };
  // The file of a part was read: its hash and a note of what was left out.
  void tookFile(DataSplit split, DataHash hash, const LeftOut& left);
  // A note of each of these counts of a part that is not 0, in the words of the data page.
  void noteCounts(DataSplit split, const std::vector<StatisticField>& fields,
                  std::initializer_list<std::string_view> counts);
  const TextEncoding& encoding() const { return m_encoding; }

  std::vector<DataHash> m_hashes;
  Json m_statistics = Json::object();

 private:
  using Order = std::vector<std::int64_t>;
  std::shared_ptr<const Order> orderOf(DataSplit split, std::int64_t epoch) const;
  HostBatch batchIn(DataSplit split, std::int64_t epoch, std::int64_t batch) const;

  TextEncoding m_encoding;
  std::int64_t m_examples;
  std::uint64_t m_seed;
  std::array<std::vector<std::int32_t>, 3> m_widths;     // by DataSplit
  std::array<std::shared_ptr<const Order>, 3> m_sorted;  // by DataSplit; training has none
  mutable std::mutex m_lock;                             // of the two below
  mutable std::shared_ptr<const Order> m_epochOrder;     // training, of m_epoch
  mutable std::int64_t m_epoch = -1;
};

}  // namespace fathom
