// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/runner/child_process.h"
#include "app/runner/launcher.h"

namespace fathom {

// How fast two processes of a place's machine add up gradients, as its engine measures it (`fathom-engine
// all-reduce`): "all_reduce" of the facts, {"ranks", "way", "latency": seconds, "bandwidth": bytes a second}.

// What every host is asked, and the same measured there.
Result<PlaceLook> measureHost(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                              const StopToken& stop);
// Lines of a shell that measure; `engine` is that of the facts.
std::string allReduceScript(const PlaceRecord& record, const Json& engine);
// What they printed into the facts; a trouble where it is no answer.
void takeAllReduce(const PlaceRecord& record, const Result<ChildOutput>& output, PlaceLook& look);

}  // namespace fathom
