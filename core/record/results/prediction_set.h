// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

class PackedWriter;

// Outputs of a run for examples of its data or for free input: <run>/predictions/<uuid>.jsonl. The first line
// is this head, every other one an example: {"example": index, texts of the example, "prediction", "score"},
// "row" where its place in the data file is another than its index (examples left out, a share kept apart),
// and, where the task says more about its outputs, "details" (an object, docs/decoding.md §3).
struct PredictionSet {
  std::string path;
  std::string uuid, run;           // run: UUID
  std::string task, checkpoint;    // checkpoint: name of what made them
  bool chosen = false;             // that checkpoint was asked for by name; otherwise it was the newest one
  std::string split;               // "validation", "test"; empty: free input
  std::string input;               // file of the free input, as it was named
  std::string created;             // ISO 8601 UTC
  Json decoding = Json::object();  // options the texts were decoded with
  Json fields = Json::object();    // {"input": key, "reference": key} of the lines (roleFields)
  Json toJson() const;
};

// The head of one file, whoever wrote it: members that are not there stay empty.
Result<PredictionSet> readPredictionSet(const std::string& path);
// Prediction sets of a run, the newest first; files that are none are left out.
Result<std::vector<PredictionSet>> predictionSets(const std::string& runPath);

// Texts of the lines by example, rising; `key` of the reference is that of the set. Data error naming file
// and line where an example lacks its prediction or reference.
struct PredictedTexts {
  std::vector<std::string> predictions, references;
};
Result<PredictedTexts> readPredictedTexts(const PredictionSet& set);

// The "details" of one example of a set; null where the set or the example has none. Reads the lines up to
// the example's. Data error naming file and line where that line is damaged.
Result<Json> readPredictionDetails(const std::string& path, std::int64_t example);

// Writes a set line by line; the file is there when finish() has succeeded, and otherwise nothing.
class PredictionSetWriter {
 public:
  // `set.uuid`, `created` and, where it is empty, `path` (in the run's predictions/) are filled.
  static Result<PredictionSetWriter> create(const std::string& runPath, PredictionSet set);
  PredictionSetWriter(PredictionSetWriter&&) noexcept;
  PredictionSetWriter& operator=(PredictionSetWriter&&) noexcept;
  ~PredictionSetWriter();
  const PredictionSet& set() const { return m_set; }
  Status add(const Json& line);
  Status finish();

 private:
  PredictionSetWriter();
  PredictionSet m_set;
  std::unique_ptr<PackedWriter> m_file;
};

}  // namespace fathom
