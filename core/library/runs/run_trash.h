// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

class ProjectLibrary;

// Moves a run folder of runs/ to trash/ and back; its notes stay. Returns the new path. A linked run is only
// unlinked, and linked again: its folder stays where it is. Unavailable where the run is running, or where
// the same run is in the project again.
Result<std::string> trashRun(ProjectLibrary& library, const std::string& runPath);
Result<std::string> restoreRun(ProjectLibrary& library, const std::string& trashedPath);

// A run in the trash.
struct TrashedRun {
  std::string path;
  RunIdentity identity;
  std::string name;  // given by hand, else the run's own
};
// By path; folders that are no run, or a damaged one, are left out.
Result<std::vector<TrashedRun>> trashedRuns(ProjectLibrary& library);

}  // namespace fathom
