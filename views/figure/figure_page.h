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
  // Parts of the page that rows and columns take, as FigureComposition has them.
  std::vector<double> rowShares = {}, columnShares = {};
  std::vector<PlacedFigure> figures = {};
};

// The page as one figure, so that screen, PDF, SVG, PNG and PGF draw it like any other.
struct ComposedPage {
  FigureSpec spec;
  std::vector<std::size_t> figureOf;  // per panel of `spec`: index into FigurePage::figures
  std::vector<std::size_t> panelOf;   // per panel of `spec`: its index in that figure
  int rows = 1, columns = 1;          // of the page's grid
  // Tracks of `spec` to each row and column of the page.
  int rowTracks = 1, columnTracks = 1;
};

// So many shares, which sum to 1: those given, the mean of them for the others; equal ones where none is
// given.
std::vector<double> sharesOf(const std::vector<double>& given, int tracks);
// Width of columns `first` and the `span - 1` after it, of a page that is `widthMm` wide.
double widthOfColumns(const std::vector<double>& shares, double widthMm, int first, int span);

// Height in mm of a page whose rows are as high as their figures like.
double naturalHeightMm(const FigurePage& page, const FigureStyle& style);

// Puts the figures' panels into one grid. A shared x axis joins panels of the same columns whose axes are of
// one kind (scale, label, categories): they get one range, and only the lowest shows labels; y likewise along
// rows. A data error if figures lie on each other or need more than 64 tracks. Needs a QGuiApplication where
// the height is to be found.
Result<ComposedPage> composePage(const FigurePage& page, const FigureStyle& style);

// Index of the panel that is read first; it carries title and letter. There must be one.
std::size_t firstPanel(const FigureSpec& spec);
// "(a)", "b)", "C" for the n-th figure; "" for the form "".
std::string panelLetter(const std::string& form, std::size_t index);
// The letter's number of each figure: 0, 1, … row by row.
std::vector<std::size_t> letterOrder(const std::vector<PlacedFigure>& figures);

}  // namespace fathom
