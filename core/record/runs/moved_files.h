// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/json/json.h"

namespace fathom {

// A project that was moved, renamed or copied takes its data along, but the configurations of its runs name
// them by the old absolute path. That the project was moved is known when a file of the run's data (`data` of
// the provenance in run.json: path, sha256, bytes) is gone from its path and lies, with the same content, in
// the project under a tail of that path. Every option that names a missing file below the same old place then
// names the one in the project; others stay, so that the error names the original.
void findMovedFiles(Json& options, const std::string& runPath, const std::string& project);

// The same for a run in its project: the folder whose runs/ holds it. Elsewhere nothing happens.
void findMovedFiles(Json& options, const std::string& runPath);

}  // namespace fathom
