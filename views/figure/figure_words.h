// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "views/figure/figure_layout.h"

namespace fathom {

// A text of a drawn figure that a person may put in words of their own: a title, a label of an axis, an entry
// of a legend. `box` holds all its lines, in units of the page.
struct WordPlace {
  std::size_t panel = 0;
  TextRole role = TextRole::Other;
  std::size_t mark = 0;  // of a legend's entry
  QRectF box;
  bool upright = false;
};

// In the order of the panels; within one title, axes, legend.
std::vector<WordPlace> wordPlaces(const FigureSpec& spec, const FigureLayout& layout);
// The one at a point of the page; a little beside it counts.
std::optional<WordPlace> wordAt(const std::vector<WordPlace>& places, const QPointF& point);
// Its text, as markup, in a figure with the same panels and marks.
std::string wordsAt(const FigureSpec& spec, const WordPlace& place);

}  // namespace fathom
