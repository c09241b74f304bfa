// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/run_item.h"

namespace fathom {

// A run is listed wherever runs are chosen, whatever its state; where it cannot serve, these say why, in
// words, and are empty where it can.

// It has no values: it waits, or its folder cannot be read.
QString whyNoValues(const RunItem& run);
// There are no states of a net of it: the same, or it is another program's and nobody brought its attention.
QString whyNoStates(const RunItem& run);
// Looks into the folder of another program's run. It asks the disk, which may be a network's: for the thread
// that reads runs; everything above is answered by the item.
BroughtParts broughtParts(const QString& folder);

}  // namespace fathom
