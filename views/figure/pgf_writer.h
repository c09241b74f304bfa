// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom {

struct PgfFigure {
  std::string tex;   // a tikzpicture, to be \input into a document with \usepackage{pgfplots}
  std::string data;  // the table it reads: one pair of columns per mark, short columns filled up with nan;
                     // empty: no mark reads one
  std::vector<std::pair<std::string, std::string>> images;  // file name and bytes of raster parts
};

// The stem of the files that go beside <stem>.tex: what TeX reads as a command is written as its code ("a%b":
// "ax25b").
std::string pgfStem(const std::string& stem);

// The figure for PGFPlots (1.17 or newer): sizes in mm, text in the document's font, marks as plots, the same
// layout as on screen. `stem` names the companion files: <stem>.dat, <stem>-1.png. Series of more than 4,000
// points are thinned to minimum and maximum of 1,000 stretches. Needs a QGuiApplication for the layout.
PgfFigure pgfFigure(const FigureSpec& spec, const FigureStyle& style, const std::string& stem);

}  // namespace fathom
