// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/pgf_marks.h"

#include <QBuffer>
#include <QByteArray>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "core/base/errors/word_table.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/text/number_text.h"
#include "views/figure/pgf_frame.h"

namespace fathom {

namespace {

constexpr std::size_t kWholeSeries = 4000, kStretches = 1000;

// Long series keep the smallest and the largest value of each stretch, and every gap.
void thin(std::vector<double>& x, std::vector<double>& y) {
  if (x.size() <= kWholeSeries) return;
  std::vector<double> thinX, thinY;
  const std::size_t step = (x.size() + kStretches - 1) / kStretches;
  for (std::size_t first = 0; first < x.size(); first += step) {
    const std::size_t end = std::min(first + step, x.size());
    std::size_t low = end, high = end;
    bool gap = false;
    for (std::size_t i = first; i < end; ++i) {
      gap = gap || !std::isfinite(y[i]);
      if (!std::isfinite(y[i])) continue;
      if (low == end || y[i] < y[low]) low = i;
      if (high == end || y[i] > y[high]) high = i;
    }
    for (const std::size_t i : {std::min(low, high), std::max(low, high)}) {
      if (i == end || (!thinX.empty() && thinX.back() == x[i])) continue;
      thinX.push_back(x[i]);
      thinY.push_back(y[i]);
    }
    if (gap) {
      thinX.push_back(x[end - 1]);
      thinY.push_back(kNaN);
    }
  }
  x = std::move(thinX);
  y = std::move(thinY);
}

// The renderer's dashes: LaTeX's own do not grow with the line.
std::string dashOption(LineDash dash, double width) {
  std::string pattern;
  bool on = true;
  for (const double length : dashPattern(dash)) {
    pattern +=
        (pattern.empty() ? "" : " ") + std::string(on ? "on " : "off ") + pgfNumber(length * width) + "pt";
    on = !on;
  }
  return pattern.empty() ? "solid" : "dash pattern=" + pattern;
}

constexpr EnumWord<MarkerShape> kPgfMarkers[] = {
    {MarkerShape::None, "none"},          {MarkerShape::Disc, "*"},
    {MarkerShape::Square, "square*"},     {MarkerShape::Diamond, "diamond*"},
    {MarkerShape::Triangle, "triangle*"}, {MarkerShape::Cross, "+"}};

}  // namespace

std::string pgfNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return formatted("%.9g", value);
}

double PgfMarks::Context::coordinateX(double value) const {
  return x.scale() == AxisScale::Symlog ? x.toUnit(value) : value;
}
double PgfMarks::Context::coordinateY(double value) const {
  return y.scale() == AxisScale::Symlog ? y.toUnit(value) : value;
}
std::string PgfMarks::Context::point(double valueX, double valueY) const {
  return "(axis cs:" + pgfNumber(coordinateX(valueX)) + "," + pgfNumber(coordinateY(valueY)) + ")";
}

std::string PgfMarks::Context::at(const QPointF& pixel) const {
  const auto rounded = [](double share) { return pgfNumber(std::round(share * 1e5) / 1e5); };
  return "(axis description cs:" + rounded((pixel.x() - area.left()) / area.width()) + "," +
         rounded((area.bottom() - pixel.y()) / area.height()) + ")";
}

std::string PgfMarks::colour(const std::string& word) const {
  const QColor found = m_style.colour(QString::fromStdString(word));
  const QColor used = found.isValid() ? found : m_style.text;
  return pgfColour(used);
}

std::string PgfMarks::strokeOptions(const MarkStyle& style, double opacity) const {
  const double width = style.width > 0 ? m_style.ink(style.width) : m_style.linePoints;
  std::string text = "draw=" + colour(style.colour) + ", line width=" + pgfNumber(width) + "pt, " +
                     dashOption(style.dash, width);
  if (opacity < 1) text += ", draw opacity=" + pgfNumber(opacity);
  return text;
}

std::string PgfMarks::fillOptions(const MarkStyle& style) const {
  if (style.fill <= 0) return "fill=none";
  return "fill=" + colour(style.colour) + ", fill opacity=" + pgfNumber(std::min(style.fill, 1.0));
}

std::string PgfMarks::series(const Values& x, const Values& y, const std::string& options) {
  const std::string name = "m" + std::to_string(m_columns.size() / 2);
  m_columns.emplace_back(name + "x", x);
  m_columns.emplace_back(name + "y", y);
  return "\\addplot[" + options + "] table[x=" + name + "x, y=" + name + "y] {\\fathomfolder " + m_stem +
         ".dat};\n";
}

std::string PgfMarks::outline(const Values& x, const Values& y, const std::string& options) {
  std::string text = "\\addplot[" + options + "] coordinates {";
  for (std::size_t i = 0; i < x.size(); ++i) text += "(" + pgfNumber(x[i]) + "," + pgfNumber(y[i]) + ") ";
  return text + "} -- cycle;\n";
}

// Axes and what lies inside violins and on bars.
std::string PgfMarks::thinDraw() const {
  return "\\draw[draw=" + pgfColour(m_style.text) + ", line width=" + pgfNumber(m_style.axisPoints) + "pt] ";
}

std::string PgfMarks::markerOptions(const MarkStyle& style) const {
  const double size = (style.markerSize > 0 ? m_style.ink(style.markerSize) : m_style.markerPoints) / 2;
  const MarkerShape shape = style.marker == MarkerShape::None ? MarkerShape::Disc : style.marker;
  return std::string("only marks, mark=") + wordOf(kPgfMarkers, shape) + ", mark size=" + pgfNumber(size) +
         "pt, mark options={solid, line width=0.1pt, draw=" + colour(style.colour) +
         ", fill=" + colour(style.colour) + "}";
}

// A picture with its lower left corner where `box` has it.
std::string PgfMarks::picture(const std::string& png, const QRectF& box, const Context& c) {
  const std::string name = m_stem + "-" + std::to_string(m_images.size() + 1) + ".png";
  m_images.emplace_back(name, png);
  const auto mm = [](double units) { return pgfNumber(units / 96 * 25.4) + "mm"; };
  return "\\node[inner sep=0pt, anchor=south west] at " + c.at(box.bottomLeft()) +
         " {\\includegraphics[width=" + mm(box.width()) + ",height=" + mm(box.height()) +
         "]{\\fathomfolder " + name + "}};\n";
}

// Marks of more cells than TeX could hold, as the renderer draws them.
std::string PgfMarks::drawn(const FigureMark& mark, const Context& c) {
  constexpr double kDotsPerUnit = 400.0 / 96;
  QImage image((c.area.size() * kDotsPerUnit).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  MarkCanvas canvas = c;
  canvas.scale = kDotsPerUnit;
  QPainter painter(&image);
  painter.scale(image.width() / c.area.width(), image.height() / c.area.height());
  painter.translate(-c.area.topLeft());
  paintMark(painter, mark, canvas);
  painter.end();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return picture(bytes.toStdString(), c.area, c);
}

std::string PgfMarks::plot(const FigureMark& mark, const MarkCanvas& canvas) {
  const Context context{canvas};
  const auto* cells = std::get_if<CellsMark>(&mark.shape);
  const auto* grid = std::get_if<GridMark>(&mark.shape);
  if ((cells != nullptr && rasterCells(*cells)) || (grid != nullptr && rasterGrid(*grid)))
    return drawn(mark, context);
  return std::visit([&](const auto& shape) { return this->shape(shape, mark.style, context); }, mark.shape);
}

std::string PgfMarks::shape(const LineMark& m, const MarkStyle& s, const Context& c) {
  Values x, y;
  for (std::size_t i = 0; i < m.x.size(); ++i) {
    x.push_back(c.coordinateX(m.x[i]));
    y.push_back(std::isfinite(m.y[i]) ? c.coordinateY(m.y[i]) : kNaN);
  }
  if (x.empty()) return {};  // an entry of a legend
  const Values wholeX = x, wholeY = y;
  thin(x, y);
  std::string options = strokeOptions(s, s.opacity);
  if (s.marker != MarkerShape::None)
    options += ", " + markerOptions(s).substr(std::string_view("only marks, ").size());
  else
    options += ", no marks";
  const std::string line = series(x, y, options);
  return s.marker == MarkerShape::None ? line + lonePoints(wholeX, wholeY, s, c) : line;
}

// A point between two gaps is no line: it is drawn as a dot.
std::string PgfMarks::lonePoints(const Values& x, const Values& y, const MarkStyle& s, const Context& c) {
  const auto shown = [&](std::size_t i) {
    const bool units = std::isfinite(x[i]) && std::isfinite(y[i]);
    return units && (c.x.scale() != AxisScale::Log || x[i] > 0) &&
           (c.y.scale() != AxisScale::Log || y[i] > 0);
  };
  Values loneX, loneY;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!shown(i) || (i > 0 && shown(i - 1)) || (i + 1 < x.size() && shown(i + 1))) continue;
    loneX.push_back(x[i]);
    loneY.push_back(y[i]);
  }
  return loneX.empty() ? std::string() : series(loneX, loneY, markerOptions(s));
}

std::string PgfMarks::shape(const BandMark& m, const MarkStyle& s, const Context& c) {
  std::string text;
  Values x, low, high;
  const auto flush = [&] {
    if (x.size() > 1) {
      Values lowX = x, highX = x;
      thin(lowX, low);
      thin(highX, high);
      lowX.insert(lowX.end(), highX.rbegin(), highX.rend());
      low.insert(low.end(), high.rbegin(), high.rend());
      text += series(lowX, low, "draw=none, no marks, " + fillOptions(s));
    }
    x.clear();
    low.clear();
    high.clear();
  };
  const double floorValue = c.y.fromUnit(c.rangeY.low);
  for (std::size_t i = 0; i < m.x.size(); ++i) {
    if (!std::isfinite(m.lower[i]) || !std::isfinite(c.y.toUnit(m.upper[i]))) {
      flush();
      continue;
    }
    x.push_back(c.coordinateX(m.x[i]));
    low.push_back(c.coordinateY(std::isfinite(c.y.toUnit(m.lower[i])) ? m.lower[i] : floorValue));
    high.push_back(c.coordinateY(m.upper[i]));
  }
  flush();
  return text;
}

std::string PgfMarks::shape(const PointsMark& m, const MarkStyle& s, const Context& c) {
  Values x, y;
  for (std::size_t i = 0; i < m.x.size(); ++i) {
    x.push_back(c.coordinateX(m.x[i]));
    y.push_back(c.coordinateY(m.y[i]));
  }
  return series(x, y, markerOptions(s));
}

std::string PgfMarks::shape(const SegmentsMark& m, const MarkStyle& s, const Context& c) {
  std::string text;
  for (std::size_t i = 0; i < m.x0.size(); ++i) {
    const double weight = m.weight.empty() ? 1 : std::clamp(m.weight[i], 0.0, 1.0);
    text += "\\draw[" + strokeOptions(s, s.opacity * weight) + "] " + c.point(m.x0[i], m.y0[i]) + " -- " +
            c.point(m.x1[i], m.y1[i]) + ";\n";
  }
  return text;
}

std::string PgfMarks::shape(const ViolinMark& m, const MarkStyle& s, const Context& c) {
  if (m.grid.empty()) return {};
  const double largest = *std::max_element(m.density.begin(), m.density.end());
  if (!(largest > 0)) return {};
  Values x, y;
  for (const double side : {1.0, -1.0}) {
    for (std::size_t k = 0; k < m.grid.size(); ++k) {
      const std::size_t i = side > 0 ? k : m.grid.size() - 1 - k;
      x.push_back(c.coordinateX(m.position + side * m.width / 2 * m.density[i] / largest));
      y.push_back(c.coordinateY(m.grid[i]));
    }
  }
  std::string text = outline(x, y, strokeOptions(s, 1) + ", " + fillOptions(s));
  if (m.quartile1 && m.quartile3)
    text +=
        thinDraw() + c.point(m.position, *m.quartile1) + " -- " + c.point(m.position, *m.quartile3) + ";\n";
  if (m.median)
    text += "\\fill[color=" + pgfColour(m_style.text) + "] " + c.point(m.position, *m.median) + " circle (" +
            pgfNumber(m_style.ink(1)) + "pt);\n";
  return text;
}

std::string PgfMarks::shape(const BoxMark& m, const MarkStyle& s, const Context& c) {
  const double left = m.position - m.width / 2, right = m.position + m.width / 2;
  const std::string pen = strokeOptions(s, 1);
  std::string text = "\\path[" + pen + ", " + fillOptions(s) + "] " + c.point(left, m.quartile1) +
                     " rectangle " + c.point(right, m.quartile3) + ";\n";
  text += "\\draw[" + pen + "] " + c.point(left, m.median) + " -- " + c.point(right, m.median) + " " +
          c.point(m.position, m.quartile3) + " -- " + c.point(m.position, m.maximum) + " " +
          c.point(m.position, m.quartile1) + " -- " + c.point(m.position, m.minimum) + ";\n";
  for (const double value : m.outliers)
    text += "\\fill[color=" + colour(s.colour) + "] " + c.point(m.position, value) + " circle (" +
            pgfNumber(m_style.ink(1)) + "pt);\n";
  return text;
}

std::string PgfMarks::shape(const BarsMark& m, const MarkStyle& s, const Context& c) {
  MarkStyle filled = s;
  if (filled.fill <= 0) filled.fill = 1;
  const double base = std::isfinite(c.y.toUnit(m.base)) ? m.base : c.y.fromUnit(c.rangeY.low);
  std::string text;
  for (std::size_t i = 0; i < m.x.size(); ++i) {
    if (!std::isfinite(c.y.toUnit(m.height[i]))) continue;
    text += "\\path[" + fillOptions(filled) + "] " + c.point(m.x[i] - m.width / 2, base) + " rectangle " +
            c.point(m.x[i] + m.width / 2, m.height[i]) + ";\n";
    if (m.error.empty() || !std::isfinite(m.error[i])) continue;
    const double low = m.height[i] - m.error[i];
    text += thinDraw() + c.point(m.x[i], std::isfinite(c.y.toUnit(low)) ? low : base) + " -- " +
            c.point(m.x[i], m.height[i] + m.error[i]) + ";\n";
  }
  return text;
}

std::string PgfMarks::shape(const RuleMark& m, const MarkStyle& s, const Context& c) {
  const double unit = m.vertical ? c.x.toUnit(m.position) : c.y.toUnit(m.position);
  const AxisRange& axis = m.vertical ? c.rangeX : c.rangeY;
  if (!(unit >= axis.low && unit <= axis.high)) return {};  // outside of the frame
  const double low = m.vertical ? c.y.fromUnit(c.rangeY.low) : c.x.fromUnit(c.rangeX.low);
  const double high = m.vertical ? c.y.fromUnit(c.rangeY.high) : c.x.fromUnit(c.rangeX.high);
  const std::string from = m.vertical ? c.point(m.position, low) : c.point(low, m.position);
  const std::string to = m.vertical ? c.point(m.position, high) : c.point(high, m.position);
  return "\\draw[" + strokeOptions(s, s.opacity) + "] " + from + " -- " + to + ";\n";
}

std::string PgfMarks::shape(const PolygonMark& m, const MarkStyle& s, const Context& c) {
  Values x, y;
  for (std::size_t i = 0; i < m.x.size(); ++i) {
    x.push_back(c.coordinateX(m.x[i]));
    y.push_back(c.coordinateY(m.y[i]));
  }
  return outline(x, y, strokeOptions(s, s.opacity) + ", " + fillOptions(s));
}

std::string PgfMarks::shape(const EllipseMark& m, const MarkStyle& s, const Context& c) {
  constexpr int kCorners = 72;
  Values x, y;
  const double turn = m.angle * std::numbers::pi / 180;
  for (int i = 0; i < kCorners; ++i) {
    const double t = 2 * std::numbers::pi * i / kCorners;
    const double a = m.radiusX * std::cos(t), b = m.radiusY * std::sin(t);
    x.push_back(c.coordinateX(m.x + a * std::cos(turn) - b * std::sin(turn)));
    y.push_back(c.coordinateY(m.y + a * std::sin(turn) + b * std::cos(turn)));
  }
  return outline(x, y, strokeOptions(s, s.opacity) + ", " + fillOptions(s));
}

std::string PgfMarks::shape(const ImageMark& m, const MarkStyle&, const Context& c) {
  return picture(QByteArray::fromBase64(QByteArray::fromStdString(m.png)).toStdString(),
                 QRectF(c.pixel(m.x0, m.y0), c.pixel(m.x1, m.y1)).normalized(), c);
}

std::string PgfMarks::table() const {
  if (m_columns.empty()) return {};
  std::string text;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    text += (i > 0 ? " " : "") + m_columns[i].first;
    rows = std::max(rows, m_columns[i].second.size());
  }
  text += "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
      const Values& values = m_columns[i].second;
      text += (i > 0 ? " " : "") + (row < values.size() ? pgfNumber(values[row]) : std::string("nan"));
    }
    text += "\n";
  }
  return text;
}

}  // namespace fathom
