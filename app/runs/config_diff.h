// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/library/runs/run_listing.h"

namespace fathom {

// The options in which runs differ: {"runs":[uuid…], "options":[{"key", "values":[one a run, null = has
// none]}]}, in the order of the first run's options.
Json configDiff(const std::vector<RunRow>& rows);
std::string configDiffText(const Json& diff);

}  // namespace fathom
