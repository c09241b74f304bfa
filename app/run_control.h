// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/library/project_library.h"
#include "core/library/queue_folder.h"
#include "core/library/run_listing.h"

namespace fathom {

// A run that is there, or one that only waits in the queue (no folder yet).
struct ControlTarget {
  std::string uuid;
  std::string name;
  std::string path;
};
// By UUID, its beginning (>= 4 characters), name or path; usage error that names the nearest.
Result<ControlTarget> findControlTarget(ProjectLibrary& library, const std::string& word);
// The same as a row of the run table.
Result<RunRow> findRunOrQueued(ProjectLibrary& library, const std::string& word);

// Each returns what happened, in words: "asked to save and stop", "taken out of the queue", "was not
// running".
Result<std::string> stopRun(const std::string& project, const ControlTarget& target);
Result<std::string> abortRun(const std::string& project, const ControlTarget& target);
// A usage error while the run is running or queued.
Status checkNotActive(const std::string& project, const ControlTarget& target);

}  // namespace fathom
