// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "views/figure/figure_spec.h"

namespace fathom {

// `fathom-bench figures`: the figures with the most marks.
struct BenchFigure {
  std::string id, what;
  FigureSpec spec;
};
// 144 violins, the dependency map of 48 layers, a model of 24 layers and 16 heads as small maps.
std::vector<BenchFigure> benchFigures();

// Content of one figure, for a peer that must draw the same: violins or cells, and the sum of their
// densities or values that are numbers.
struct FigureContent {
  std::int64_t cells = 0;
  double sum = 0;
};
FigureContent contentOf(const BenchFigure& figure);

// 1200 x 800 pixels on screen. Milliseconds.
struct FigureBenchLine {
  double first = 0;   // from the figure to the first painted frame
  double median = 0;  // of redraws with other ranges, everything painted anew
  double worst = 0;
  double processor = 0;  // processor time of a redraw, median: what a busy machine does not change
  double pdf = 0;        // the bytes of a vector PDF
};
// Redraws it `frames` times. Needs a QApplication; GUI thread.
Result<FigureBenchLine> measureFigure(const BenchFigure& figure, int frames);

}  // namespace fathom
