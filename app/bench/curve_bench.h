// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace fathom {

// The drawing part of `fathom-bench curves`: one noisy curve of `points` points in a panel of 1200 x 800, 200
// frames of panning at a random zoom, smoothing off and on. Times in milliseconds. Needs a QApplication; GUI
// thread.
struct CurveBench {
  double fill = 0;       // from arrays to the ready panel
  double firstDraw = 0;  // first painted frame
  double worstPan = 0, medianPan = 0;
  double worstSmoothed = 0;  // with the raw curve behind the smoothed one
  double hover = 0;          // crosshair with values, worst
};
CurveBench benchCurves(std::size_t points);
// Worst and median time of moving the crosshair, with its list of values, over `curves` curves of `points`
// points each, until it is painted; of the processor.
struct HoverBench {
  double worst = 0, median = 0;
};
HoverBench benchHover(int curves, std::size_t points);

}  // namespace fathom
