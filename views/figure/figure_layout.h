// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QRectF>
#include <QSize>
#include <QSizeF>
#include <cmath>
#include <optional>
#include <vector>

#include "views/figure/axis_scale.h"
#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"
#include "views/figure/figure_text.h"
#include "views/figure/mark_painter.h"

namespace fathom {

struct LegendEntry {
  std::optional<std::size_t> mark;  // none: the line that counts the marks without an entry
  QRectF sample;
  PlacedText text;
};

struct PanelLayout {
  QRectF slot;                       // the panel with its texts
  QRectF area;                       // inside the axes
  QRectF room;                       // what `area` could be; larger where the panel has an aspect
  std::vector<PlacedText> texts;     // title, axis labels, notes of the colour bar
  std::optional<std::size_t> title;  // its place in `texts`
  std::size_t titleLines = 1;        // a long one goes on in the text after it
  std::vector<LegendEntry> legend;
  double foot = 0;  // how far down a label reaches that another panel writes for this one, 0 = none
  QRectF legendBox;
  bool legendInside = false;
  QRectF colourBar;
  std::vector<QLineF> valueAxis;  // of the values in the cells of a grid (value_axis.h)
};

struct FigureLayout {
  QSizeF size;
  std::vector<PanelLayout> panels;
  // Borders between columns and rows of the panels' grid, margins included, from 0 to the size of the page.
  std::vector<double> columnEdges, rowEdges;
};

// Places everything but tick labels. Margins of a column or row of panels are shared, so that axes line up; a
// legend goes into the emptiest corner, or below where every corner holds data. `ranges` are the shown
// ranges, x and y of each panel.
struct PanelRanges {
  AxisRange x, y;
};
FigureLayout layOutFigure(const FigureSpec& spec, const FigureStyle& style, const QSizeF& size,
                          const std::vector<PanelRanges>& ranges);

// Ticks of a panel inside `area`; labels that would overlap their neighbour are left out.
struct PlacedTicks {
  std::vector<double> majorX, minorX, majorY, minorY;  // units of the axes
  std::vector<PlacedText> labels;
};
PlacedTicks placeTicks(const FigurePanel& panel, const FigureStyle& style, const QRectF& area,
                       const PanelRanges& ranges);

// The canvas of a panel.
MarkCanvas panelCanvas(const FigurePanel& panel, const FigureStyle& style, const QRectF& area,
                       const PanelRanges& ranges);
inline double unitsOf(double points) {
  return points * 96.0 / 72.0;
}
inline double unitsOfMm(double mm) {
  return mm / 25.4 * 96.0;
}
// In whole units.
inline QSize unitSize(const FigureSize& size) {
  return {int(std::lround(unitsOfMm(size.widthMm))), int(std::lround(unitsOfMm(size.heightMm)))};
}

}  // namespace fathom
