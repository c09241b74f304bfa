// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/library/records/project_library.h"
#include "core/library/runs/run_listing.h"

namespace fathom {

// Short names of runs that are shown together (core/library/runs/short_names.h), in the order of the rows.
// The engine is asked what options are called only where that matters. Not in the GUI thread.
std::vector<std::string> namesOfRows(ProjectLibrary& library, const std::vector<RunRow>& rows);

// Asks the engine what options are called, if nobody has (optionTitles()). Not in the GUI thread.
void askForOptionTitles();

}  // namespace fathom
