// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// A run whose predictions are tested.
struct TestedRun {
  std::string uuid, name, path;  // its folder
  Json options;                  // effective ones of its last attempt
  bool ofAnotherProgram = false;
};

struct RunTestRequest {
  std::string split = "validation";  // part of the data
  std::int64_t resamples = 1000;     // of the paired bootstrap of texts
};

// A run against the first one. Differences are the second less the first, in units of `RunTest::compared`.
struct RunTestPair {
  std::size_t second = 0;                    // place among the runs
  std::optional<double> scores[2];           // of the first and of this run, where the test gives them
  std::optional<int> onlyFirst, onlySecond;  // right in one of them only, where answers are right or wrong
  double difference = 0, low = 0, high = 0;  // 95 % interval of the bootstrap
  double p = 1;
  double secondWins = 0;  // share of the resamples, where the test gives scores
};

// What tests say of the predictions of runs on the same examples (docs/statistics.md §2).
struct RunTest {
  std::string kind;    // "bootstrap", "mcnemar"
  std::string review;  // kind of review whose test it is, or ""
  std::string metric;  // "bleu", or ""
  Phrase compared;     // "BLEU", "exact match (%)"
  std::string split;
  std::int64_t resamples = 0;   // 0: the review chooses them
  std::size_t examples = 0;     // 0: not told
  std::vector<Json> decodings;  // one a run: how its predictions were made
  std::vector<RunTestPair> pairs;
};

// Every run against the first. Stored predictions are used; what is missing is made by the engine and kept
// with the run. `note` is told what happens, line by line, on the calling thread. Data error for runs whose
// predictions cannot be compared: other tasks, other examples, other programs without a table.
Result<RunTest> testRuns(const std::string& project, const std::vector<TestedRun>& runs,
                         const RunTestRequest& request, const std::function<void(const std::string&)>& note,
                         Progress& progress, const StopToken& stop);

}  // namespace fathom
