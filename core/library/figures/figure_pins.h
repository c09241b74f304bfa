// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// A question of a figure for a stored result, and the very result it got: the same question gets the same
// answer, whatever is computed later.
struct PinnedResult {
  std::string run, analysis;      // UUID, id of the probe
  std::string checkpoint;         // as it was asked for: "", "<=300", "init", a name, ...
  Json options = Json::object();  // as they were asked for, "split", "examples" and "run_set" among them
  std::string found;              // name of the checkpoint; empty = there was no such result
  std::string key;                // name of the result's folder (AnalysisRequest::key)
  std::string sha256;             // of its result and array files (core/record's analysisHash)
  Json request;                   // everything it was computed with (AnalysisRequest)
  bool operator==(const PinnedResult&) const = default;
};

// The checkpoints with a result of an analysis that there were.
struct PinnedList {
  std::string run, analysis;
  std::vector<std::string> checkpoints;
  bool operator==(const PinnedList&) const = default;
};

// All questions of one figure, in the order of asking.
struct FigurePins {
  std::vector<PinnedResult> results;
  std::vector<PinnedList> lists;
  bool empty() const { return results.empty() && lists.empty(); }
  bool operator==(const FigurePins&) const = default;
  Json toJson() const;
};
// A data error names the member that is missing or of a wrong type.
Result<FigurePins> figurePinsFromJson(const Json& json);

}  // namespace fathom
