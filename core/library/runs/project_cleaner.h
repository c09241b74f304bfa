// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/library/records/project_library.h"
#include "core/record/runs/checkpoint_folder.h"

namespace fathom {

struct CleanPolicy {
  bool trash = true;  // runs in the trash
  bool leftovers =
      true;  // what was being written or deleted by somebody who was killed; set-aside checkpoints
  bool checkpoints = true;  // those of ended runs beyond `keep`
  RetentionPolicy keep{1, 1, 0};
  bool cache = false;             // what can be made again: states of frozen encoders that runs
                                  // share, what executed predictions of reviews gave
  std::uint64_t budgetBytes = 0;  // clean only until the project is this small; 0 = no budget
};

struct CleanItem {
  std::string path;
  std::string kind;  // "trash", "leftover", "damaged", "checkpoint", "cache"
  Phrase reason;
  std::uint64_t bytes = 0;
  std::string run = {};  // name of the run that it is of; "" = of none
};

struct CleanPlan {
  std::uint64_t projectBytes = 0;
  std::uint64_t freedBytes = 0;
  std::uint64_t cacheBytes = 0;  // whether they go or not
  std::vector<CleanItem>
      items;  // in the order they would go: trash, leftovers, cache, then checkpoints, oldest run first
};

// Plan of a cleaning; touches nothing. Running runs and linked ones are never in it, nor the newest
// checkpoint of any run.
Result<CleanPlan> planCleaning(ProjectLibrary& library, const CleanPolicy& policy);
// Removes what the plan names and is still allowed: a run that was started meanwhile, a checkpoint somebody
// reads, or an import under way is passed over. Returns the bytes freed.
Result<std::uint64_t> clean(ProjectLibrary& library, const CleanPlan& plan, Progress& progress,
                            const StopToken& stop);

}  // namespace fathom
