// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom {

// No plot of a figure that is arranged here is lower, in mm, or narrower on a paper; one whose rows stand
// where they stand may have plots of 12 mm where the page would end else.
inline constexpr double kLeastPlotMm = 20;

// The figure as it goes onto a page of this style. Panels that flow get rows and columns: as many columns as
// leave every label whole and every plot large enough, else as many as cut least. A height that nobody chose
// grows until the titles of the axes are whole, and ends at that of the style's page where the figure fits
// there.
FigureSpec arrangedFigure(FigureSpec spec, const FigureStyle& style, bool heightChosen);

// Faults of a figure on its page; 0 everywhere is good.
struct PageFaults {
  int cut = 0;          // texts with an ellipsis, or without their unit
  int overlapping = 0;  // texts that run into another or leave the page
  int unread = 0;       // axes with fewer than two numbers
  double lowMm = 0;     // what the lowest plot lacks
  double narrowMm = 0;  // what the narrowest plot lacks
  double highMm = 0;    // by how much it is higher than the style's page
  bool none() const { return cut + overlapping + unread == 0 && lowMm + narrowMm + highMm <= 0; }
};
PageFaults pageFaults(const FigureSpec& spec, const FigureStyle& style);

// Options with which a figure fits that does not ("height=90", "columns=1", "--style acl_wide"); empty = none
// of those that were tried.
std::string whatWouldFit(const FigureSpec& spec, const FigureStyle& style);

}  // namespace fathom
