// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/train/parts/run_parts.h"

namespace fathom {

// Names the weights before the first update: they are made again from the options and the seed.
inline constexpr const char* kInitialWeights = "init";

// Opens a run that was trained, for evaluation, prediction and probes.
struct StoredRunRequest {
  std::string runPath;
  // "": the newest whose bytes are right; "best"; the name of a checkpoint or its number of updates;
  // kInitialWeights; or the path of a folder that holds one or an average.
  std::string checkpoint;
  std::vector<std::string> assignments;  // "key=value" on top of the run's options, e.g. predict.beam=4
  bool inputOnly = false;                // no data file is read
  Progress* progress = nullptr;
  StopToken stop;
};

struct StoredRun {
  RunParts parts;
  OptionValues options;
  std::string checkpoint;            // name of what was loaded
  std::string checkpointHash;        // SHA-256 of its manifest; empty for kInitialWeights
  std::vector<std::string> damaged;  // newer ones that were passed over, when the newest was asked for
};

Result<StoredRun> openStoredRun(const StoredRunRequest& request);
// Another checkpoint of a run that is open (words as in StoredRunRequest): model and objective are made anew,
// the data stay. What `stored` held of the former model is gone.
Status openOtherWeights(StoredRun& stored, const std::string& runPath, const std::string& checkpoint);

// Mean of checkpoints (docs/translation.md §6): parameters only, no optimiser state. Usage error when the
// folder to write exists already.
struct AverageRequest {
  std::string runPath;
  std::int64_t count = 10;
  std::int64_t upperUpdate = -1;  // newest update taken, -1 = any
  bool epochEnds = false;         // only checkpoints written at the end of an epoch
  std::string outPath;            // folder to write, "" = <run>/averages/<first>_<last>
};
struct AverageReport {
  std::string path;
  std::vector<std::string> names;
  bool enough = true;                // false: fewer than asked for exist
  std::vector<std::string> damaged;  // were passed over
};
Result<AverageReport> averageCheckpoints(const AverageRequest& request);

}  // namespace fathom
