// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command.h"
#include "app/runner/places/place_look.h"

namespace fathom {

// A command that goes to a place, once: its field, and what came of it as facts and troubles.
OptionField visitedPlaceField();
Result<CommandOutput> goToPlace(const CommandContext& context, PlaceDeed deed, Progress& progress,
                                const StopToken& stop);

}  // namespace fathom
