// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "views/figure/figure_layout.h"

namespace fathom {

// A number for TeX: nine significant digits, nan, inf.
std::string pgfNumber(double value);

// Definitions of the markers that the text names, in the shapes of the renderer.
std::string pgfMarkers(const std::string& text);

// Writes marks as PGFPlots commands and collects their data.
class PgfMarks {
 public:
  PgfMarks(const FigureStyle& style, std::string stem) : m_style(style), m_stem(std::move(stem)) {}
  // Empty for texts and numbers of cells, which belong to the frame.
  std::string plot(const FigureMark& mark, const MarkCanvas& canvas);
  // The data file: a header line, then rows; short columns end in nan.
  std::string table() const;
  const std::vector<std::pair<std::string, std::string>>& images() const { return m_images; }
  // The renderer's pens, brushes and markers: pale ones are mixed with the paper, too.
  std::string strokeOptions(const MarkStyle& style) const;
  std::string fillOptions(const MarkStyle& style) const;
  std::string solidOptions(const MarkStyle& style) const;
  std::string markerOptions(const MarkStyle& style) const;

 private:
  struct Context : MarkCanvas {
    double coordinateX(double value) const;
    double coordinateY(double value) const;
    std::string point(double valueX, double valueY) const;  // "(axis cs:1,2)"
    std::string at(const QPointF& pixel) const;             // "(axis description cs:0.5,1)"
  };
  using Values = std::vector<double>;
  std::string series(const Values& x, const Values& y, const std::string& options);
  std::string lonePoints(const Values& x, const Values& y, const MarkStyle& s, const Context& c);
  static std::string outline(const Values& x, const Values& y, const std::string& options);
  QColor ink(const MarkStyle& style) const;
  static std::string stroked(const std::vector<QPointF>& line, const std::string& options,
                             const QRectF& frame, const Context& c);
  static std::string filled(const QPolygonF& outline, const std::string& options, const QRectF& frame,
                            const Context& c);
  static std::string box(const QRectF& box, const std::string& options, const Context& c);
  std::string disc(const QColor& colour, const QPointF& middle, const Context& c) const;
  std::string thinOptions(const QColor& colour) const;
  std::string picture(const std::string& png, const QRectF& box, const Context& c);
  std::string drawn(const FigureMark& mark, const Context& c);
  std::string mapCell(const GridCell& cell, const GridMark& m, const QRectF& box, const Context& c);
  std::string lineCell(const GridCell& cell, const MarkStyle& style, const QRectF& box,
                       const std::function<double(double)>& up, const Context& c) const;
  std::string violinCell(const GridCell& cell, const MarkStyle& style, const QRectF& box,
                         const std::function<double(double)>& up, const Context& c) const;
  std::string shape(const LineMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const BandMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const PointsMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const SegmentsMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const CellsMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const ViolinMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const BoxMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const BarsMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const RuleMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const PolygonMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const EllipseMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const ImageMark& m, const MarkStyle& s, const Context& c);
  std::string shape(const TextMark&, const MarkStyle&, const Context&) { return {}; }
  std::string shape(const GridMark& m, const MarkStyle& s, const Context& c);
  const FigureStyle& m_style;
  std::string m_stem;
  std::vector<std::pair<std::string, Values>> m_columns;
  std::vector<std::pair<std::string, std::string>> m_images;
};

}  // namespace fathom
