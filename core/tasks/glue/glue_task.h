// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/tasks/encoded_text_task.h"
#include "core/tasks/glue/glue_options.h"

namespace fathom {

// Rows of one part. Of MNLI the mismatched ones come behind the matched ones.
struct GluePart {
  GlueTable table;
  std::vector<TextRow> rows;
  std::int64_t matched = 0;          // rows of the first file
  std::int64_t matchedFileRows = 0;  // with those left out
  std::int64_t cut = 0;              // rows that were longer
};

// Task "glue" (docs/fine_tuning.md §3). A batch has the rows of EncodedTextTask, one an example, and where
// the part has labels
//   labels  [B] i64 the class, or f64 the number
// sizes(): those of EncodedTextTask, "classes" (1: a number), "number" (0 or 1). A prediction's ids: the
// class, nothing for a number. Its details, as the objective makes them and complete() names them:
// {"probabilities": [one for each class]} or {"value": number}. Scores as GLUE prints them, times 100:
// "accuracy", "f1", "matthews", "pearson", "spearman", of MNLI's mismatched part "accuracy_mm"; of a number
// also "mse", and what is not defined is left out and named in its details.
class GlueTask : public EncodedTextTask {
 public:
  static Result<std::unique_ptr<Task>> create(const OptionValues& values, const TaskSetup& setup);

  std::map<std::string, std::int64_t> sizes() const override;
  std::map<std::string, std::string> artifacts() const override;
  ExampleTexts exampleTexts(DataSplit split, ExampleId example) const override;
  // Rows of MNLI's mismatched file come after those of the matched one.
  std::int64_t fileRow(DataSplit split, ExampleId example) const override;
  void complete(std::vector<Prediction>& predictions) const override;
  // One text a line, or two with a TAB between them.
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string> lines,
                                                 TextFindings* findings) const override;

  const GluePart& part(DataSplit split) const { return m_parts[static_cast<std::size_t>(split)]; }

 protected:
  bool labelled(DataSplit split) const override { return !part(split).table.labels.empty(); }
  Result<std::vector<TaskScore>> scoresOf(DataSplit split, const Ordered& predictions) const override;
  std::map<std::string, std::string> filesOf(DataSplit split, const Ordered& predictions) const override;
  HostBatch batchOf(DataSplit split, std::span<const ExampleId> examples) const override;

 private:
  GlueTask(GlueOptions options, TextEncoding encoding, std::uint64_t seed);
  Status read(const TaskSetup& setup);
  Status readPart(DataSplit split, const TaskSetup& setup);
  Status readInto(GlueTable& table, const std::string& file, const std::string& role, bool labelled,
                  const TaskSetup& setup);
  void keepApart();
  Status encodePart(DataSplit split, const TaskSetup& setup);
  Status takeKept(const TaskSetup& setup);
  TextRow rowOf(std::string_view first, std::string_view second, std::int64_t* cut) const;
  std::string labelText(const GlueTable& table, std::int64_t row) const;
  // As the benchmark takes it.
  std::string submitted(const Prediction& prediction) const;

  GlueOptions m_options;
  std::array<GluePart, 3> m_parts;
  std::vector<std::string> m_classes;
  bool m_pairs = false;
};

}  // namespace fathom
