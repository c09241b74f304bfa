// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace fathom {

// `fathom bench figures`: the figures with the most marks, 1200 x 800 pixels on screen. Milliseconds.
struct FigureBenchLine {
  std::string what;
  double first = 0;   // from the figure to the first painted frame
  double median = 0;  // of redraws with other ranges, everything painted anew
  double worst = 0;
  double processor = 0;  // processor time of a redraw, median: what a busy machine does not change
  double pdf = 0;        // the bytes of a vector PDF
};
// 144 violins, the dependency map of 48 layers, a model of 24 layers and 16 heads as small maps. Needs a
// QApplication; GUI thread.
Result<std::vector<FigureBenchLine>> benchFigures(int rounds);

}  // namespace fathom
