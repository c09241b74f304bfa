// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/tasks/encoded_text_task.h"
#include "core/tasks/squad/squad_options.h"

namespace fathom {

// One part, its passages cut once.
struct SquadPart {
  SquadFile file;
  std::vector<SquadPassage> passages;
  std::vector<SquadRows> rows;   // of each question
  std::vector<SquadSpan> spans;  // of each question
  struct Window {
    std::int32_t question = 0, window = 0;
  };
  std::vector<Window> trained;  // training: the windows of questions whose answer was found
  bool labelled() const { return file.unanswered < static_cast<std::int64_t>(file.questions.size()); }
};

// Task "squad" (docs/fine_tuning.md §5). An example of training is a window, of the other parts a question
// with all its windows. A batch has the rows of EncodedTextTask, one a window, and
//   windows  [B]    i64  rows of each example
//   targets  [R, 2] i64  places of start and end; 0, 0: not in this window; -1, -1: nobody knows
//   part     [B]    i64  the example's part (DataSplit), -1 of free input
//   asked    ragged u8   of free input: question, line end, passage
// targetUnits = R. A prediction of the objective: details {"part", "windows": [[starts], [ends], null start,
// null end] of each window, perhaps "asked"}; complete() makes the text of it and leaves {"n_best", "id",
// version 2.0: "null_score", "null_difference"}. Scores in per cent: "f1", "exact"; of 2.0 also those of both
// sorts of questions and with the best threshold.
class SquadTask : public EncodedTextTask {
 public:
  static Result<std::unique_ptr<Task>> create(const OptionValues& values, const TaskSetup& setup);

  std::map<std::string, std::int64_t> sizes() const override;
  ExampleTexts exampleTexts(DataSplit split, ExampleId example) const override;
  std::int64_t fileRow(DataSplit split, ExampleId example) const override;
  void complete(std::vector<Prediction>& predictions) const override;
  // "passage TAB question"
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string> lines,
                                                 TextFindings* findings) const override;

  const SquadPart& part(DataSplit split) const { return m_parts[static_cast<std::size_t>(split)]; }

 protected:
  bool labelled(DataSplit split) const override { return part(split).labelled(); }
  Result<std::vector<TaskScore>> scoresOf(DataSplit split, const Ordered& predictions) const override;
  // "predictions.json", "nbest_predictions.json", of version 2.0 "null_odds.json".
  std::map<std::string, std::string> filesOf(DataSplit split, const Ordered& predictions) const override;
  HostBatch batchOf(DataSplit split, std::span<const ExampleId> examples) const override;

 private:
  struct Row {
    const SquadPassage* passage;
    const SquadRows* rows;
    const SquadSpan* span;  // null: not known
    std::size_t window;
  };
  SquadTask(const SquadOptions& options, TextEncoding encoding, std::uint64_t seed);
  Status read(const TaskSetup& setup);
  Status preparePart(DataSplit split, const TaskSetup& setup);
  void keepApart();
  HostBatch batchOfRows(const std::vector<Row>& rows) const;
  std::int64_t questionOf(DataSplit split, ExampleId example) const;
  void decode(Prediction& prediction) const;

  SquadOptions m_options;
  std::array<SquadPart, 3> m_parts;
};

}  // namespace fathom
