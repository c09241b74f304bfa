// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <string>
#include <vector>

#include "views/figure/figure_renderer.h"

namespace fathom {

// Faults that a reader of the printed page would stumble over. Empty lists are good.
struct FigureChecks {
  static constexpr double kSmallestPoints = 6;
  static constexpr double kApartPoints = 1.5;
  double smallestPoints = 0;  // of all texts that are there, sub- and superscripts left out
  QStringList outside;        // texts that leave the page
  QStringList overlapping;    // pairs of texts that share more than half a point: "a | b"
  QStringList touching;       // "a | b": axis texts of two panels nearer than kApartPoints
  QStringList cut;            // texts shown with an ellipsis
  QStringList sameTitles;     // "a | b": titles of two panels that are the same
  Phrase glyphs;              // why the fonts would not do, in words; empty = every character is embedded
  std::string wouldFit;       // options with which nothing of this is cut or too high; empty = none is known
  std::vector<std::string> files;  // that were written, the one that was named first
  double tooHighMm = 0;            // by how much it does not fit a page of its style
  double pageMm = 0;               // height of that page
  QStringList alikeInGray;  // pairs of entries of one legend that a print without colour does not tell apart
};

// Two marks of one legend that look the same without colour: of one form, in greys that are hardly apart.
bool alikeInGray(const FigureMark& a, const FigureMark& b, const FigureStyle& style);

// `renderer` has laid the figure out for its page (paintTo). Millimetres of `size` are the page's.
FigureChecks figureChecks(const FigureRenderer& renderer, const FigureSize& size);

}  // namespace fathom
