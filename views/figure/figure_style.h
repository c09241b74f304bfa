// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <vector>

#include "core/base/errors/result.h"
#include "views/figure/figure_spec.h"
#include "views/figure/figure_text.h"

namespace fathom {

// Style of a figure on one medium. Lengths in millimetres, widths and text in points.
struct FigureStyle {
  QString id;
  QString title;
  QString venue;  // what the numbers come from
  bool dark = false;
  bool gray = false;  // colours are shown as the grey of the same lightness
  double widthMm = 84;
  double mostHeightMm = 240;                 // what a page of the medium leaves for text and figures
  double pageWidthMm = 0, pageHeightMm = 0;  // a page, of several figures or one; 0 = widthMm, as they need
  QStringList families;
  double labelPoints = 8, tickPoints = 7, legendPoints = 7, titlePoints = 8;
  double linePoints = 1, axisPoints = 0.5, tickLengthPoints = 3, markerPoints = 3;
  QColor background, text, secondary, separator, accent;

  // Resolves a colour word of a FigureSpec; invalid for an unknown word.
  QColor colour(const QString& word) const;
  // Widths and sizes that a mark names suit the lines of a paper or a screen; thicker lines ask for larger
  // ones.
  double ink(double points) const { return points * std::max(1.0, linePoints / kScreenLinePoints); }
  static constexpr double kScreenLinePoints = 1.5 * 72 / 96;  // 1.5 px
  TextFont font(double points, bool bold = false) const { return {families, points, bold}; }
  // Width of a page.
  double widthOfPage() const { return pageWidthMm > 0 ? pageWidthMm : widthMm; }
};

// Paper venues, slide, screen light and dark; order of menus.
const std::vector<FigureStyle>& figureStyles();
Result<FigureStyle> figureStyle(const QString& id);

// The screen style for a theme; `fontPoints` is the size of the application's font.
FigureStyle screenStyle(bool dark, double fontPoints = 9);
// The same in the typeface and size of a part of the window, so that both read as one.
FigureStyle screenStyle(bool dark, const QFont& window);

// The size a figure has in a style: its own, or the style's width and a golden-ratio height per row of
// panels.
struct FigureSize {
  double widthMm = 0, heightMm = 0;
};
FigureSize figureSize(const FigureSpec& spec, const FigureStyle& style);

// The same look in another typeface ("serif", "sans", "" = as it is) and size of axis labels (points, 0 = as
// it is); the other texts follow in proportion.
FigureStyle withFont(FigureStyle style, const QString& typeface, double labelPoints);

// Every colour becomes the grey of the same lightness (preview of a print without colour).
FigureStyle grayscaleStyle(FigureStyle style);

}  // namespace fathom
