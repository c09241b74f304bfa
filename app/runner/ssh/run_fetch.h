// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/launcher.h"

namespace fathom {

// All that a run has at a host now and its copy lacks, over a connection of its own. May ask on the terminal
// where this program has one. Cut off in the middle, what came is kept, and the next one goes on there.
Result<FetchedRun> fetchFromHost(const PlaceRecord& record, const FetchRequest& request, Progress& progress,
                                 const StopToken& stop);

}  // namespace fathom
