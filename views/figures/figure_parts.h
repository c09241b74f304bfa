// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "views/figure/figure_spec.h"

namespace fathom {

// Common parts of figures: axes of places, looks of series, ranges, size.

// An axis of places with these names (plain text), half a place of room at both ends, no grid.
FigureAxis categoryAxis(const std::vector<std::string>& names, const Phrase& label = {});
// The same with words of the program, which are markup.
FigureAxis wordAxis(std::vector<Phrase> words, const Phrase& label = {});
// The same with numbers from `first` on; of many places only some show theirs.
FigureAxis numberedAxis(const Phrase& label, std::size_t count, std::size_t first = 1);

// Style for the number of a run's look (core/base/numbers/series_look.h), as everywhere in the window; or of
// the n-th series: more than there are colours differ in their dashes.
MarkStyle seriesStyle(std::size_t number);
// In the colour of texts unless it is told another one.
FigureMark textMark(double x, double y, std::string text, TextAnchor anchor = TextAnchor::Centre);
// The same of words of the program, which a screen says in its language.
FigureMark phraseMark(double x, double y, Phrase text, TextAnchor anchor = TextAnchor::Centre);

// Meaning of the bands of a panel: an entry of its legend that draws nothing itself.
inline constexpr double kBandFill = 0.18;
FigureMark bandEntry(Phrase what);

// Columns of a grid of panels that hold matrices or grids themselves, one for each run: two, so that they
// are read in one column of a paper.
std::size_t panelColumns(std::size_t panels);

// Range of the finite values.
struct ValueRange {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double value);
  void add(const std::vector<double>& values);
  bool any() const { return low <= high; }
};

// The values of sizeFields(); a height of 0 becomes `defaultHeightMm`.
void setSize(FigureSpec& spec, const OptionValues& options, double defaultHeightMm = 0);

}  // namespace fathom
