// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/tasks/long_text/long_text_task.h"
#include "core/tasks/wikihop/wikihop_layout.h"

namespace fathom {

struct WikiHopOptions {
  EncodedTextOptions data;
  WikiHopLimits limits;
};

struct WikiHopPart {
  std::vector<WikiHopRecord> records;
  std::vector<std::int64_t> cut;  // sentences of each record that are left out
  bool labelled() const { return !records.empty() && !records.front().answer.empty(); }
};

// Task "wikihop" (docs/long_inputs.md §4). A batch has the arrays of putLongRows and
//   candidates  [B, g] u8   1: the global token of a candidate, the first ones of the stream
//   labels      [B] i64     place of the answer among them, where the part has answers
// targetUnits = B. A prediction's ids: the chosen candidate; details {"scores", "probabilities": one for each
// candidate}. complete() finds the candidate's text: by the part and the example, of free input by "asked"
// (ragged u8, the record). Score "accuracy" in per cent.
class WikiHopTask : public LongTextTask {
 public:
  static Result<std::unique_ptr<Task>> create(const OptionValues& values, const TaskSetup& setup);

  ExampleTexts exampleTexts(DataSplit split, ExampleId example) const override;
  void complete(std::vector<Prediction>& predictions) const override;
  // "query TAB candidate | candidate … TAB document TAB document …", or a record as in the files.
  Result<RequestBatches> batchesFromRequests(std::span<const Json> items) const override;

  const WikiHopPart& part(DataSplit split) const { return m_parts[static_cast<std::size_t>(split)]; }

 protected:
  bool labelled(DataSplit split) const override { return part(split).labelled(); }
  Result<std::vector<TaskScore>> scoresOf(DataSplit split, const Ordered& predictions) const override;
  // "predictions.json": id -> candidate.
  std::map<std::string, std::string> filesOf(DataSplit split, const Ordered& predictions) const override;
  HostBatch batchOf(DataSplit split, std::span<const ExampleId> examples) const override;

 private:
  WikiHopTask(const WikiHopOptions& options, TextEncoding encoding, std::uint64_t seed);
  Status read(const TaskSetup& setup);
  Status readSplit(DataSplit split, const std::string& path, const TaskSetup& setup);
  void keepApart();
  Status measure(DataSplit split, const TaskSetup& setup);
  HostBatch batchFrom(const std::vector<const WikiHopRecord*>& records, std::span<const ExampleId> examples,
                      std::int64_t part) const;

  WikiHopOptions m_options;
  std::array<WikiHopPart, 3> m_parts;
};

}  // namespace fathom
