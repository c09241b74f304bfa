// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure/figure_layout.h"

namespace fathom {

// Titles above panels. Lengths are units of a layout.

// Between texts and what they belong to: fonts reach further up and down than the box we give them.
double gapOf(const FigureStyle& style);
double textHeight(const FigureStyle& style, double points);

// Room of the panel's title to the right: it may stand above the panels right of its own that have none, up
// to where the next title begins or the figure ends, since maps are often narrower than their place.
double titleRoom(const FigureSpec& spec, const FigureLayout& layout, const FigureStyle& style,
                 std::size_t panel);
// Height of each title with its distance from the plot, in as many lines as its room needs; 0 without one.
// Titles of one row whose plots begin at one height have one distance, or they would stand at different
// heights.
std::vector<double> titleHeights(const FigureSpec& spec, const FigureStyle& style,
                                 const FigureLayout& layout);
// Above the areas that the layout has; kept apart from each other where they are cut.
void placeTitles(const FigureSpec& spec, const FigureStyle& style, FigureLayout& layout);

}  // namespace fathom
