// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

// Summary of the events of a run for a row of a run table.
struct ScalarSummary {
  struct Validation {
    double step = 0;
    std::vector<std::pair<std::string, double>> metrics;
  };
  // Present phase of the last attempt, in the words of its engine: "training", "evaluating", "saving", ...
  struct Phase {
    std::string name, unit;
    double done = 0, total = -1;  // -1 = unknown
  };
  int attempts = 0;
  std::int64_t step = 0;           // last update
  std::int64_t totalUpdates = -1;  // as announced by the last attempt, -1 = unknown
  Phase phase;
  double remaining = -1;                // seconds of training as its engine judges them, -1 = unknown
  double elapsed = 0;                   // seconds over all attempts, without the gaps between them
  std::map<std::string, double> last;   // scalars of the last update
  std::vector<Validation> validations;  // superseded ones left out (see scalar_reader.h)
};

// Number of updates a run will have: said by run_started where its length is in updates, else by the progress
// of the training itself, when the data are read. `known` otherwise. `event`: the whole line of one.
std::int64_t plannedUpdates(const Json& event, std::int64_t known);

// Looks at the head and the tail of each log and finds the validations between by text search, so that a run
// of 100 MB takes about 0.1 s. Nothing is wrong with a log that is not there yet.
Result<ScalarSummary> readScalarSummary(const RunFolder& run);

}  // namespace fathom
