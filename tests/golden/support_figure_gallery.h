// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/figure/figure_spec.h"

namespace fathom::gallery {

// One figure with every kind of mark and every kind of axis.
FigureSpec everyMark();
// 12 x 12 violins in one mark.
FigureSpec violinGrid();
// The training curve of five made-up runs: two groups of two seeds, one that diverges.
FigureSpec trainingCurves();
// The same with one run, seven runs, long names, only NaN, one point.
FigureSpec trainingCurves(int runs, bool longNames);
FigureSpec nanOnly();
FigureSpec onePoint();

}  // namespace fathom::gallery
