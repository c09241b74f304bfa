// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/threads/stop_token.h"
#include "core/imports/source_place.h"

namespace fathom {

// The sources that a path stands for: itself, or where a folder holds several kinds, or tables and logs,
// those below it, each once, with the folder as `around`. Whatever lies in the folder of a run that another
// program made is that program's; hidden folders, packages of Python and projects of ours hold no sources.
// Links are not followed. Errors name the folder that cannot be looked into.
Result<std::vector<SourcePlace>> placesIn(const std::string& path, const StopToken& stop);

}  // namespace fathom
