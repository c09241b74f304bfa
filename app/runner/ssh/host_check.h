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

// The troubles that facts of a host tell of (host_facts.h, and "clock_ahead" in seconds).
std::vector<Error> hostTroubles(const PlaceRecord& record, const Json& facts);
// Seconds that the clock of a host is ahead, which said `there` between two looks at ours: a time between
// question and answer is no difference.
double clockAhead(double before, double there, double after);

}  // namespace fathom
