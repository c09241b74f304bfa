// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/tasks/openkp/openkp_pages.h"

namespace fathom {

struct OpenKpOptions {
  EncodedTextOptions data;
  OpenKpLimits limits;
  bool padsAll = false;  // pages of full length, whose padding has a share of the smoothed target
};

// Task "openkp" (docs/long_inputs.md §4). A batch has the rows of LongTextTask, one a page, and
//   words        [B, n]    i64  the page's word of each long token, -1: padding
//   word_counts  [B]       i64  words of each page, as many as n at most
//   visual       [B, g, 8] f32  x, y, width, height of each block, then of its parent, in -1…1
//   labels       ragged i64 [total, 2]  words and first word of each key phrase that is in the input
//   part         [B]       i64  the example's part (DataSplit), -1 of free input
//   asked        ragged u8      of free input: the line
// Without key phrases there are no labels. targetUnits = B. A prediction of the objective: details {"part",
// "width", "cells": places of the best n-grams, "scores": their log probabilities, perhaps "asked"};
// complete() makes the five best phrases of it and leaves {"phrases", "url"}; its text has them with "; "
// between. Scores in per cent: "f1_at_3" …
class OpenKpTask : public LongTextTask {
 public:
  static Result<std::unique_ptr<Task>> create(const OptionValues& values, const TaskSetup& setup);

  std::map<std::string, std::int64_t> sizes() const override;  // also "longest_phrase", "real_positions"
  ExampleTexts exampleTexts(DataSplit split, ExampleId example) const override;
  void complete(std::vector<Prediction>& predictions) const override;
  // Blocks with tabs between, which have no features, or a record a line.
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string> lines,
                                                 TextFindings* findings) const override;

  const OpenKpPart& part(DataSplit split) const { return m_parts[static_cast<std::size_t>(split)]; }

 protected:
  bool labelled(DataSplit split) const override { return part(split).labelled; }
  Result<std::vector<TaskScore>> scoresOf(DataSplit split, const Ordered& predictions) const override;
  // "predictions.jsonl": {"url", "KeyPhrases": [[words], …]} a line, as the benchmark's script reads it.
  std::map<std::string, std::string> filesOf(DataSplit split, const Ordered& predictions) const override;
  HostBatch batchOf(DataSplit split, std::span<const ExampleId> examples) const override;

 private:
  OpenKpTask(const OpenKpOptions& options, TextEncoding encoding, std::uint64_t seed);
  Status read(const TaskSetup& setup);
  void keepApart();
  const OpenKpRecord& pageOf(DataSplit split, ExampleId example) const;
  HostBatch batchOfPages(std::span<const ExampleId> examples, const std::vector<OpenKpExample>& pages,
                         std::int64_t part, bool labelled) const;

  OpenKpOptions m_options;
  std::array<OpenKpPart, 3> m_parts;
};

}  // namespace fathom
