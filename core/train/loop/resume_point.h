// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/record/runs/run_folder.h"
#include "core/train/loop/run_recorder.h"
#include "core/train/state/checkpoint.h"

namespace fathom {

// Start of an attempt.
struct ResumePoint {
  std::string checkpoint;  // path, empty = fresh
  std::string name;
  std::vector<std::string> damaged;  // newer checkpoints that cannot be used
  LoadedState loaded;
};

// `checkpoint`: the name of one, "none", or "" for the newest good one. Found before anything of the run is
// changed: what cannot be gone on from leaves the record as it is.
Result<ResumePoint> startingPoint(const std::string& runPath, const std::string& checkpoint);
// An attempt with nothing left to do would only cover up how the run ended. One that was cut off after its
// last update still has its last validation to do.
Status checkSomethingLeft(const RunFolder& folder, const ResumePoint& start, const OptionValues& options);
// End of the attempt before and beginning of this one, in one line: "killed (signal 9) · restarted from 0:
// no checkpoint yet". Empty where a person had stopped it.
Phrase restartWords(const std::optional<RunOutcome>& before, const ResumePoint& start);
// Nobody shall take damaged checkpoints for the newest. Where that fails the run goes on all the same.
void setDamagedAside(const ResumePoint& start, const std::string& runPath, RunRecorder& recorder);
// Effective values but for paths of files.
Json withoutPaths(const OptionValues& options);
// Paths of files may change (the project was moved); their contents are compared by hash.
Status checkSameConfig(const ResumePoint& start, const OptionValues& options);

}  // namespace fathom
