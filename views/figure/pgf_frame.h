// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "views/figure/figure_layout.h"

namespace fathom {

// A colour for TikZ: "{rgb,255:red,0;green,114;blue,178}".
std::string pgfColour(const QColor& colour);

// Everything of a page for TikZ that is not data: axes, ticks, texts, legends, colour bars, at the places
// they have on screen. Texts keep their size unless the document's font is so wide that they would meet
// another text or the edge of the page: then they shrink (\fathomtext).
class PgfFrame {
 public:
  PgfFrame(const FigureSpec& spec, const FigureStyle& style, const FigureLayout& layout,
           const std::vector<PanelRanges>& ranges);
  // Definitions that the page needs, and its background.
  std::string head() const;
  std::string below(std::size_t panel) const;  // grid lines
  std::string above(std::size_t panel) const;  // axes and texts

 private:
  MarkCanvas canvas(std::size_t panel) const;
  std::string at(double x, double y) const;
  std::string line(double x0, double y0, double x1, double y1) const;
  std::string lines(const std::vector<QLineF>& all) const;
  std::string axes(std::size_t panel) const;
  std::string legend(std::size_t panel) const;
  std::string legendScales() const;
  std::string sample(const FigureMark& mark, const QRectF& box) const;
  std::string bar(const ColourBar& bar, const QRectF& box) const;
  std::string text(const PlacedText& text) const;
  std::string node(const PlacedText& text, const std::string& content) const;
  static std::string fontOf(const PlacedText& text);
  double room(const PlacedText& text) const;
  std::vector<PlacedText> texts(std::size_t panel) const;
  const FigureSpec& m_spec;
  const FigureStyle& m_style;
  const FigureLayout& m_layout;
  const std::vector<PanelRanges>& m_ranges;
  std::vector<QRectF> m_texts, m_fixed;  // all texts of the page; samples and colour bars
};

}  // namespace fathom
