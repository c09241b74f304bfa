// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/tasks/hotpotqa/hotpotqa_layout.h"
#include "core/tasks/long_text/long_text_task.h"

namespace fathom {

struct HotpotqaOptions {
  EncodedTextOptions data;
  HotpotLimits limits;
  std::int64_t maxAnswer = 30;
  bool padsAll = true;  // rows of full length, whose padding is in the softmax
};

struct HotpotqaPart {
  std::vector<HotpotRecord> records;  // of training those that can be trained on
  bool labelled = true;
  // Counts of what was read, for the data page.
  std::int64_t read = 0, cut = 0, cutTexts = 0, noSupport = 0, noSpan = 0, lostFacts = 0, paragraphs = 0,
               sentences = 0, noSentences = 0, leftovers = 0;
  std::array<std::int64_t, 3> types{};  // by HotpotAnswer
};

// Task "hotpotqa", distractor setting (docs/long_inputs.md §4). A batch has the arrays of putLongRows and
//   fact_sentences  [B, g] i32  number of the sentence in its paragraph that a global token stands for, -1
//   none part            [B] i64     the example's part (DataSplit), -1 of free input asked           ragged
//   u8   of free input: the record
// and of a part with answers
//   supporting      [B, g] i64  1: stands for a supporting fact
//   answer_types    [B] i64     HotpotAnswer, -1: not trained on
//   spans           [B, 2] i64  first and last long token; 0, 0 is [CLS]
// targetUnits = B. A prediction of the objective: details {"part", "type", "span", "facts": places in the
// global stream, "fact_probabilities", perhaps "asked"}; complete() makes the text of it and leaves {"facts":
// [[title, sentence], …], "fact_probabilities", "answer_type", "id"}. Scores in per cent: "joint_f1" first.
class HotpotqaTask : public LongTextTask {
 public:
  static Result<std::unique_ptr<Task>> create(const OptionValues& values, const TaskSetup& setup);

  // Also "max_answer", and "real_positions": 1 where padding is not in the softmax.
  std::map<std::string, std::int64_t> sizes() const override;
  ExampleTexts exampleTexts(DataSplit split, ExampleId example) const override;
  void complete(std::vector<Prediction>& predictions) const override;
  // "question TAB title TAB text TAB title TAB text …", or a record as in the files.
  Result<RequestBatches> batchesFromRequests(std::span<const Json> items) const override;

  const HotpotqaPart& part(DataSplit split) const { return m_parts[static_cast<std::size_t>(split)]; }

 protected:
  bool labelled(DataSplit split) const override { return part(split).labelled; }
  Result<std::vector<TaskScore>> scoresOf(DataSplit split, const Ordered& predictions) const override;
  // "predictions.json": {"answer": {id: text}, "sp": {id: [[title, sentence], …]}}, as the official script
  // reads.
  std::map<std::string, std::string> filesOf(DataSplit split, const Ordered& predictions) const override;
  HostBatch batchOf(DataSplit split, std::span<const ExampleId> examples) const override;

 private:
  HotpotqaTask(const HotpotqaOptions& options, TextEncoding encoding, std::uint64_t seed);
  Status read(const TaskSetup& setup);
  Status readSplit(DataSplit split, const std::string& path, const TaskSetup& setup);
  void keepApart();
  Status measure(DataSplit split, const TaskSetup& setup);
  HostBatch batchFrom(const std::vector<const HotpotRecord*>& records, std::span<const ExampleId> examples,
                      std::int64_t part, bool labelled) const;
  void completeOne(Prediction& prediction) const;

  HotpotqaOptions m_options;
  std::array<HotpotqaPart, 3> m_parts;
};

}  // namespace fathom
