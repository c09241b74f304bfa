// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command.h"
#include "app/runner/launcher.h"

namespace fathom {

// A command that goes to a place, once: its field, and what came of it as facts and troubles.
OptionField visitedPlaceField();
Result<CommandOutput> visitPlace(const CommandContext& context, LauncherEntry::Visit LauncherEntry::*visit,
                                 Progress& progress, const StopToken& stop);

}  // namespace fathom
