// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/tasks/encoded_text_task.h"
#include "core/tasks/reclor/reclor_file.h"

namespace fathom {

struct ReclorOptions {
  EncodedTextOptions data;
  std::int64_t maxLength = 256;
  bool releasedPadding = true;  // byte-level rows are padded with id 0
};

struct ReclorPart {
  std::vector<ReclorQuestion> questions;
  std::vector<TextRow> rows;            // of all answers, question by question
  std::vector<std::int64_t> firstRows;  // of each question, and one past the last
  std::int64_t cut = 0;                 // rows that were longer
  bool labelled() const { return !questions.empty() && questions.front().label >= 0; }
};

// Task "reclor" (docs/fine_tuning.md §6). A batch has the rows of EncodedTextTask, one an answer, question by
// question, and
//   choices  [B] i64  answers of each question
//   labels   [B] i64  the right one, where the part has labels
// targetUnits = B. A prediction's ids: the chosen answer; its text is the answer's letter, its details
// {"scores", "probabilities": one for each answer}. Scores in per cent: "accuracy", and "accuracy_easy",
// "accuracy_hard" where ids name the two halves of the test part.
class ReclorTask : public EncodedTextTask {
 public:
  static Result<std::unique_ptr<Task>> create(const OptionValues& values, const TaskSetup& setup);

  ExampleTexts exampleTexts(DataSplit split, ExampleId example) const override;
  std::int64_t fileRow(DataSplit split, ExampleId example) const override;
  void complete(std::vector<Prediction>& predictions) const override;
  // "context TAB question TAB answer TAB answer …"
  // Such lines, and objects as in the files.
  Result<RequestBatches> batchesFromRequests(std::span<const Json> items) const override;

  const ReclorPart& part(DataSplit split) const { return m_parts[static_cast<std::size_t>(split)]; }

 protected:
  bool labelled(DataSplit split) const override { return part(split).labelled(); }
  Result<std::vector<TaskScore>> scoresOf(DataSplit split, const Ordered& predictions) const override;
  // "test_preds.npy" (of validation "val_preds.npy", …), in the order of the file.
  std::map<std::string, std::string> filesOf(DataSplit split, const Ordered& predictions) const override;
  HostBatch batchOf(DataSplit split, std::span<const ExampleId> examples) const override;

 private:
  ReclorTask(const ReclorOptions& options, TextEncoding encoding, std::uint64_t seed);
  Status read(const TaskSetup& setup);
  Status encodePart(DataSplit split, const TaskSetup& setup);
  void encodeQuestion(ReclorPart& part, const ReclorQuestion& question) const;
  HostBatch batchFrom(const ReclorPart& part, std::span<const ExampleId> examples) const;

  ReclorOptions m_options;
  std::array<ReclorPart, 3> m_parts;
};

}  // namespace fathom
