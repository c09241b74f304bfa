// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/json.h"

namespace fathom {

// A project that was moved, renamed or copied takes its data along, but the configurations of its runs name
// them by the old absolute path. Each option that is an absolute path where nothing lies, and that less its
// first folders exists below `project`, becomes that path; others stay, so that the error names the original.
// Whether it is the same file is told by the hashes of run.json, not here.
void findMovedFiles(Json& options, const std::string& project);

// The project whose folder runs/ holds the run; empty for a run that lies elsewhere.
std::string projectOfRun(const std::string& runPath);

}  // namespace fathom
