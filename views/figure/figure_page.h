// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom {

// A whole figure, with all its panels, over some rows and columns of a page.
struct PlacedFigure {
  FigureSpec spec;
  int row = 0, column = 0, rowSpan = 1, columnSpan = 1;
  std::string title;  // markup; instead of the title of its first panel where not empty
};

// Several figures on one page.
struct FigurePage {
  std::string id, title;
  double widthMm = 0, heightMm = 0;  // 0 = the style's width, the height that suits the figures
  std::string letters = "(a)";       // "(a)", "a)", "A", "" = none; row by row
  bool shareX = false, shareY = false;
  std::vector<PlacedFigure> figures;
};

// The page as one figure, so that screen, PDF, SVG, PNG and PGF draw it like any other.
struct ComposedPage {
  FigureSpec spec;
  std::vector<std::size_t> figureOf;  // per panel of `spec`: index into FigurePage::figures
};

// Puts the figures' panels into one grid. A shared x axis joins panels of the same columns whose axes are of
// one kind (scale, label, categories): they get one range, and only the lowest shows labels; y likewise along
// rows. A data error if figures lie on each other or need more than 64 tracks. Needs a QGuiApplication where
// the height is to be found.
Result<ComposedPage> composePage(const FigurePage& page, const FigureStyle& style);

// "(a)", "b)", "C" for the n-th figure; "" for the form "".
std::string panelLetter(const std::string& form, std::size_t index);
// The letter's number of each figure: 0, 1, … row by row.
std::vector<std::size_t> letterOrder(const std::vector<PlacedFigure>& figures);

}  // namespace fathom
