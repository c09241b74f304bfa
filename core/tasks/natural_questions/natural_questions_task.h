// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/tasks/long_text/long_text_task.h"
#include "core/tasks/natural_questions/nq_options.h"
#include "core/tasks/natural_questions/nq_pages.h"

namespace fathom {

// Task "natural_questions" (docs/long_inputs.md §4). An example of training is a window, of the other parts a
// page with all its windows. A batch has the rows of LongTextTask, one a window, and
//   windows  [B]    i64  rows of each example
//   words    [R, n] i64  the page's word of each long token, -1 outside of the page
//   targets  [R, 5] i64  places of short begin and end, long begin and end (0: not there), kind of answer
//   part     [B]    i64  the example's part (DataSplit), -1 of free input
//   asked    ragged u8   of free input: the line
// Without annotations there are no targets. targetUnits = R. A prediction of the objective: details {"part",
// "spans": nqPageSpansJson, perhaps "asked"}; complete() makes the answers of it and leaves
// {"id", "long", "long_score", "long_text", "short", "short_score", "yes_no"}; its text is the short answer,
// YES or NO, or "". Scores in per cent: "average_f1", "long_f1", "short_f1", each at its best threshold.
class NaturalQuestionsTask : public LongTextTask {
 public:
  static Result<std::unique_ptr<Task>> create(const OptionValues& values, const TaskSetup& setup);

  // "top": ends of a window that are looked at; "max_short"; "real_positions".
  std::map<std::string, std::int64_t> sizes() const override;
  ExampleTexts exampleTexts(DataSplit split, ExampleId example) const override;
  void complete(std::vector<Prediction>& predictions) const override;
  // "page TAB question", or a record a line.
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string> lines,
                                                 TextFindings* findings) const override;

  const NqPart& part(DataSplit split) const { return m_parts[static_cast<std::size_t>(split)]; }

 protected:
  bool labelled(DataSplit split) const override { return part(split).labelled(); }
  Result<std::vector<TaskScore>> scoresOf(DataSplit split, const Ordered& predictions) const override;
  // "predictions.json" as nq_eval reads it, in tokens: byte offsets are -1.
  std::map<std::string, std::string> filesOf(DataSplit split, const Ordered& predictions) const override;
  HostBatch batchOf(DataSplit split, std::span<const ExampleId> examples) const override;

 private:
  // Windows [first, end) of a page.
  struct Rows {
    const NqPage* page;
    std::int64_t first, end;
  };
  NaturalQuestionsTask(const NqOptions& options, TextEncoding encoding, std::uint64_t seed);
  Status read(const TaskSetup& setup);
  Status readPages(DataSplit split, const std::string& path, const TaskSetup& setup);
  void preparePart(DataSplit split, std::uint64_t seed);
  const NqStoredPage& pageOf(DataSplit split, ExampleId example) const;
  HostBatch batchOfRows(std::span<const ExampleId> examples, const std::vector<Rows>& all,
                        bool labelled) const;
  void decode(Prediction& prediction) const;

  NqOptions m_options;
  std::array<NqPart, 3> m_parts;
};

}  // namespace fathom
