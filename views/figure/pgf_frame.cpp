// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/pgf_frame.h"

#include <algorithm>
#include <cmath>

#include "views/figure/figure_colours.h"
#include "views/figure/pgf_marks.h"
#include "views/figure/tick_layout.h"

namespace fathom {

namespace {

constexpr double kMost = 1.35;     // no document's font is so much wider than ours
constexpr double kApart = 1;       // units between texts that grow towards each other
constexpr double kOfLetter = 0.5;  // heights of a letter between a text and the sample that follows it

std::string millimetres(double units) {
  return pgfNumber(std::round(units / 96 * 25.4 * 1000) / 1000);
}

std::string points(double value) {
  return pgfNumber(std::round(value * 1000) / 1000) + "pt";
}

}  // namespace

std::string pgfColour(const QColor& colour) {
  return "{rgb,255:red," + std::to_string(colour.red()) + ";green," + std::to_string(colour.green()) +
         ";blue," + std::to_string(colour.blue()) + "}";
}

PgfFrame::PgfFrame(const FigureSpec& spec, const FigureStyle& style, const FigureLayout& layout,
                   const std::vector<PanelRanges>& ranges)
    : m_spec(spec), m_style(style), m_layout(layout), m_ranges(ranges) {
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    for (const PlacedText& each : texts(i)) m_texts.push_back(each.box());
    for (const LegendEntry& entry : layout.panels[i].legend) {
      m_texts.push_back(entry.text.box());
      // Nobody takes a word for the one of the next sample.
      const double apart = kOfLetter * unitsOf(style.legendPoints);
      m_fixed.push_back(entry.sample.adjusted(-apart, 0, 0, 0));
    }
    if (!layout.panels[i].colourBar.isEmpty()) m_fixed.push_back(layout.panels[i].colourBar);
  }
}

MarkCanvas PgfFrame::canvas(std::size_t panel) const {
  return panelCanvas(m_spec.panels[panel], m_style, m_layout.panels[panel].area, m_ranges[panel]);
}

std::vector<PlacedText> PgfFrame::texts(std::size_t panel) const {
  const FigurePanel& spec = m_spec.panels[panel];
  const PanelLayout& placed = m_layout.panels[panel];
  std::vector<PlacedText> all = placeTicks(spec, m_style, placed.area, m_ranges[panel]).labels;
  all.insert(all.end(), placed.texts.begin(), placed.texts.end());
  const MarkCanvas canvas = this->canvas(panel);
  for (const FigureMark& mark : spec.marks) {
    if (const auto* cells = std::get_if<CellsMark>(&mark.shape)) {
      const std::vector<PlacedText> numbers = cellNumbers(*cells, canvas);
      all.insert(all.end(), numbers.begin(), numbers.end());
    } else if (const auto* words = std::get_if<TextMark>(&mark.shape)) {
      if (auto text = placeText(*words, mark.style, canvas)) all.push_back(std::move(*text));
    }
  }
  return all;
}

std::string PgfFrame::head() const {
  const double width = m_layout.size.width(), height = m_layout.size.height();
  std::string text =
      "\\def\\fathomtext#1#2{\\setbox0\\hbox{#2}\\ifdim\\wd0>#1\\relax\\resizebox{#1}{!}{#2}\\else\\box0\\fi}"
      "%"
      "\n"
      "\\def\\fathommeasure#1#2{\\setbox0\\hbox{#2}\\ifdim\\wd0>#1\\relax\\pgfmathsetmacro\\fathomscale"
      "{min(\\fathomscale,#1/\\the\\wd0)}\\fi}%\n" +
      legendScales() + "\\begin{tikzpicture}[x=1mm,y=1mm]\n\\path[use as bounding box] (0,0) rectangle (" +
      millimetres(width) + "mm," + millimetres(height) + "mm);\n";
  if (m_style.background != Qt::white)
    text += "\\fill[color=" + pgfColour(m_style.background) + "] " + at(0, height) + " rectangle " +
            at(width, 0) + ";\n";
  return text;
}

// The words of a legend have one size: that of the one that must shrink most. Measured before the picture, in
// which there are no fonts outside of nodes.
std::string PgfFrame::legendScales() const {
  std::string text;
  for (std::size_t i = 0; i < m_layout.panels.size(); ++i) {
    if (m_layout.panels[i].legend.empty()) continue;
    text += "\\def\\fathomscale{1}%\n";
    const PanelLayout& placed = m_layout.panels[i];
    for (const LegendEntry& entry : placed.legend) {
      const double inside = placed.legendInside ? placed.legendBox.right() - kApart - entry.text.box().left()
                                                : room(entry.text);
      text += "\\fathommeasure{" + millimetres(std::min(inside, room(entry.text))) + "mm}{" +
              fontOf(entry.text) + latexText(entry.text.line.runs()).toStdString() + "}%\n";
    }
    text += "\\expandafter\\let\\csname fathomscale" + std::to_string(i) + "\\endcsname\\fathomscale%\n";
  }
  return text;
}

std::string PgfFrame::at(double x, double y) const {
  return "(" + millimetres(x) + "," + millimetres(m_layout.size.height() - y) + ")";
}

std::string PgfFrame::line(double x0, double y0, double x1, double y1) const {
  return " " + at(x0, y0) + " -- " + at(x1, y1);
}

std::string PgfFrame::lines(const std::vector<QLineF>& all) const {
  std::string text;
  for (const QLineF& each : all) text += line(each.x1(), each.y1(), each.x2(), each.y2());
  return text;
}

std::string PgfFrame::below(std::size_t panel) const {
  const QRectF& area = m_layout.panels[panel].area;
  const FrameLines frame = frameLines(m_spec.panels[panel], m_style, area, m_ranges[panel]);
  if (frame.rules.empty()) return {};
  return "\\draw[color=" + pgfColour(m_style.separator) +
         ", opacity=0.6, line width=" + points(m_style.axisPoints) + "]" + lines(frame.rules) + ";\n";
}

std::string PgfFrame::axes(std::size_t panel) const {
  const QRectF& area = m_layout.panels[panel].area;
  const FrameLines frame = frameLines(m_spec.panels[panel], m_style, area, m_ranges[panel]);
  const std::string all = lines(frame.axes) + lines(m_layout.panels[panel].valueAxis);
  if (all.empty()) return {};
  return "\\draw[color=" + pgfColour(m_style.text) + ", line width=" + points(m_style.axisPoints) +
         ", line cap=rect]" + all + ";\n";
}

std::string PgfFrame::above(std::size_t panel) const {
  std::string all = axes(panel);
  for (const ColourBar& each : m_spec.panels[panel].bars) all += bar(each, m_layout.panels[panel].colourBar);
  all += legend(panel);
  for (const PlacedText& each : texts(panel)) all += text(each);
  return all;
}

std::string PgfFrame::bar(const ColourBar& bar, const QRectF& box) const {
  constexpr int kSteps = 64;
  const ColourMap map = colourMapNamed(bar.map);
  const double height = box.height() / kSteps;
  std::string text;
  for (int i = 0; i < kSteps; ++i) {
    const QColor colour = mapColour(map, i / (kSteps - 1.0));
    // As the renderer has them: neighbours share a little, or viewers show hairlines between them.
    constexpr double kOverlap = 0.25;
    const QRectF step =
        QRectF(box.left(), box.bottom() - (i + 1) * height, box.width(), height + kOverlap).intersected(box);
    text += "\\fill[color=" + pgfColour(m_style.gray ? grayscale(colour) : colour) + "] " +
            at(step.left(), step.bottom()) + " rectangle " + at(step.right(), step.top()) + ";\n";
  }
  return text;
}

std::string PgfFrame::legend(std::size_t panel) const {
  const PanelLayout& placed = m_layout.panels[panel];
  if (placed.legend.empty()) return {};
  std::string text;
  if (placed.legendInside)
    text += "\\fill[color=" + pgfColour(m_style.background) + "] " +
            at(placed.legendBox.left(), placed.legendBox.bottom()) + " rectangle " +
            at(placed.legendBox.right(), placed.legendBox.top()) + ";\n";
  for (const LegendEntry& entry : placed.legend)
    if (entry.mark) text += sample(m_spec.panels[panel].marks[*entry.mark], entry.sample);
  for (const LegendEntry& entry : placed.legend)
    text += node(entry.text, "\\scalebox{\\csname fathomscale" + std::to_string(panel) + "\\endcsname}{" +
                                 latexText(entry.text.line.runs()).toStdString() + "}");
  return text;
}

std::string PgfFrame::sample(const FigureMark& mark, const QRectF& box) const {
  const PgfMarks pens(m_style, {});
  std::string text;
  const bool area = sampleIsArea(mark), dots = std::holds_alternative<PointsMark>(mark.shape);
  if (area) {
    MarkStyle style = mark.style;
    if (style.fill <= 0) style.fill = 1;
    text += "\\path[" + pens.fillOptions(style) + "] " + at(box.left(), box.bottom()) + " rectangle " +
            at(box.right(), box.top()) + ";\n";
  }
  if (!area && !dots)
    text += "\\draw[" + pens.strokeOptions(mark.style) + "]" +
            line(box.left(), box.center().y(), box.right(), box.center().y()) + ";\n";
  if (dots || mark.style.marker != MarkerShape::None)
    text += "\\path plot[" + pens.markerOptions(mark.style) + "] coordinates {" +
            at(box.center().x(), box.center().y()) + "};\n";
  return text;
}

// Largest width of the text, in units.
double PgfFrame::room(const PlacedText& text) const {
  const QRectF box = text.box();
  const double width = text.line.width();
  // Free in front of the start and behind the end, along the line.
  double before = text.upright ? m_layout.size.height() - box.bottom() : box.left();
  double after = text.upright ? box.top() : m_layout.size.width() - box.right();
  const auto keepOff = [&](const QRectF& other, double share) {
    const bool beside = text.upright ? other.left() < box.right() && box.left() < other.right()
                                     : other.top() < box.bottom() && box.top() < other.bottom();
    if (!beside || other == box) return;
    const double low = text.upright ? other.top() - box.bottom() : box.left() - other.right();
    const double high = text.upright ? box.top() - other.bottom() : other.left() - box.right();
    if (low >= 0) before = std::min(before, (low - kApart) * share);
    if (high >= 0) after = std::min(after, (high - kApart) * share);
  };
  for (const QRectF& other : m_texts) keepOff(other, 0.5);  // it may grow as well
  for (const QRectF& other : m_fixed) keepOff(other, 1);
  before = std::max(before, 0.0);
  after = std::max(after, 0.0);
  const double more = text.anchor == 0 ? after : text.anchor == 1 ? before : 2 * std::min(before, after);
  return std::min(width + more, width * kMost);
}

std::string PgfFrame::fontOf(const PlacedText& text) {
  return std::string(text.bold ? "\\bfseries" : "") + "\\fontsize{" + pgfNumber(text.points) + "}{" +
         pgfNumber(text.points * 1.2) + "}\\selectfont ";
}

// Its content where the text is held: at its start, its middle or its end.
std::string PgfFrame::node(const PlacedText& text, const std::string& content) const {
  const char* anchor = text.anchor == 0 ? "base west" : text.anchor == 1 ? "base east" : "base";
  const double along = text.anchor * text.line.width();
  const QPointF held = text.upright ? text.baseline - QPointF(0, along) : text.baseline + QPointF(along, 0);
  return "\\node[inner sep=0pt, anchor=" + std::string(anchor) + (text.upright ? ", rotate=90" : "") +
         ", text=" + pgfColour(text.colour) + ", font=" + fontOf(text) + "] at " + at(held.x(), held.y()) +
         " {" + content + "};\n";
}

std::string PgfFrame::text(const PlacedText& text) const {
  return node(text, "\\fathomtext{" + millimetres(room(text)) + "mm}{" +
                        latexText(text.line.runs()).toStdString() + "}");
}

}  // namespace fathom
