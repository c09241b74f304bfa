// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/window_bench.h"

namespace fathom {

// A panel of a page of four figures of four runs, in a window of 1280 x 800, dragged to and fro over the
// others: each move of the mouse until the place below it is shown. GUI thread, with a QApplication; without
// an engine beside the program it is an error.
Result<WindowTime> benchPageDrag(Progress& progress, const StopToken& stop);

}  // namespace fathom
