// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/launcher.h"

namespace fathom {

// One connection, one question: everything that a run there needs, and each trouble with what to do and the
// fact that it is about as its key. The connection stays open for the runner.
Result<PlaceLook> lookAtHost(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                             const StopToken& stop);
// Brings this program's engine with the small libraries that it needs, by content; LibTorch is the host's, or
// is fetched there.
Result<PlaceLook> prepareHost(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                              const StopToken& stop);

}  // namespace fathom
