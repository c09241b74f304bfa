// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/record/checkpoint_folder.h"

namespace fathom {

// The checkpoint that a person means: "" the newest, "best" by score, a number of updates (the last attempt
// that has it), or a name. Only the manifest is read. Usage error that lists what there is.
Result<CheckpointManifest> chooseCheckpoint(const std::string& runPath, const std::string& wanted);

}  // namespace fathom
