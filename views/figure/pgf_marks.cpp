// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/pgf_marks.h"

#include <QBuffer>
#include <QByteArray>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "core/base/errors/word_table.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/text/number_text.h"
#include "views/figure/line_clip.h"
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

constexpr EnumWord<MarkerShape> kPgfMarkers[] = {{MarkerShape::None, "none"},
                                                 {MarkerShape::Disc, "fathomdisc"},
                                                 {MarkerShape::Square, "fathomsquare"},
                                                 {MarkerShape::Diamond, "fathomdiamond"},
                                                 {MarkerShape::Triangle, "fathomtriangle"},
                                                 {MarkerShape::Cross, "fathomcross"}};

// As paintMarker has them, in halves of their size. Those of PGF have other proportions and edges.
struct MarkerPath {
  const char* name;
  std::vector<std::vector<QPointF>> parts;  // corners; none: a circle
};
const std::vector<MarkerPath>& markerPaths() {
  static const std::vector<MarkerPath> paths = {
      {"fathomdisc", {}},
      {"fathomsquare", {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}},
      {"fathomdiamond", {{{0, 1.2}, {1.2, 0}, {0, -1.2}, {-1.2, 0}}}},
      {"fathomtriangle", {{{0, 1.1}, {1, -0.8}, {-1, -0.8}}}},
      {"fathomcross",
       {{{-1, -0.2}, {1, -0.2}, {1, 0.2}, {-1, 0.2}}, {{-0.2, -1}, {0.2, -1}, {0.2, 1}, {-0.2, 1}}}}};
  return paths;
}

std::string pngOf(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes.toStdString();
}

}  // namespace

std::string pgfMarkers(const std::string& text) {
  std::string defined;
  for (const MarkerPath& marker : markerPaths()) {
    if (text.find(std::string("mark=") + marker.name) == std::string::npos) continue;
    defined += std::string("\\pgfdeclareplotmark{") + marker.name + "}{";
    if (marker.parts.empty()) defined += "\\pgfpathcircle{\\pgfpointorigin}{\\pgfplotmarksize}";
    for (const std::vector<QPointF>& part : marker.parts) {
      const char* step = "\\pgfpathmoveto";
      for (const QPointF& corner : part) {
        defined += std::string(step) + "{\\pgfpoint{" + pgfNumber(corner.x()) + "\\pgfplotmarksize}{" +
                   pgfNumber(corner.y()) + "\\pgfplotmarksize}}";
        step = "\\pgfpathlineto";
      }
      defined += "\\pgfpathclose";
    }
    defined += "\\pgfusepathqfill}%\n";
  }
  return defined;
}

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

QColor PgfMarks::ink(const MarkStyle& style) const {
  MarkCanvas canvas;
  canvas.style = &m_style;
  return markColour(style, canvas);
}

std::string PgfMarks::strokeOptions(const MarkStyle& style) const {
  const double width = style.width > 0 ? m_style.ink(style.width) : m_style.linePoints;
  return "draw=" + pgfColour(ink(style)) + ", line width=" + pgfNumber(width) +
         "pt, line cap=" + (style.dash == LineDash::Solid ? "round" : "butt") + ", line join=round, " +
         dashOption(style.dash, width);
}

std::string PgfMarks::fillOptions(const MarkStyle& style) const {
  if (style.fill <= 0) return "fill=none";
  MarkStyle opaque = style;
  opaque.opacity = 1;
  return "fill=" + pgfColour(ink(opaque)) + ", fill opacity=" + pgfNumber(std::min(style.fill, 1.0));
}

// Filled with the colour of its lines.
std::string PgfMarks::solidOptions(const MarkStyle& style) const {
  return "fill=" + pgfColour(ink(style));
}

// PGFPlots clips plots alone, since it draws the markers of an axis that is clipped as a whole in front of
// all of its marks: what is no plot is cut here.
std::string PgfMarks::stroked(const std::vector<QPointF>& line, const std::string& options,
                              const QRectF& frame, const Context& c) {
  std::string text;
  constexpr double kRounding = 0.01;  // lines on the frame are drawn
  const QRectF room = frame.adjusted(-kRounding, -kRounding, kRounding, kRounding);
  for (const auto& piece : clippedLine({{line}, {}}, room).pieces) {
    if (piece.size() < 2) continue;
    text += "\\draw[" + options + "]";
    const char* join = " ";
    for (const QPointF& point : piece) {
      text += join + c.at(point);
      join = " -- ";
    }
    text += ";\n";
  }
  return text;
}

std::string PgfMarks::filled(const QPolygonF& outline, const std::string& options, const QRectF& frame,
                             const Context& c) {
  std::string corners;
  for (const QPointF& corner : clippedOutline(outline, frame)) corners += c.at(corner) + " -- ";
  return corners.empty() ? corners : "\\path[" + options + "] " + corners + "cycle;\n";
}

std::string PgfMarks::box(const QRectF& box, const std::string& options, const Context& c) {
  const QRectF inside = box.intersected(c.area);
  if (inside.isEmpty()) return {};
  return "\\path[" + options + "] " + c.at(inside.bottomLeft()) + " rectangle " + c.at(inside.topRight()) +
         ";\n";
}

std::string PgfMarks::disc(const QColor& colour, const QPointF& middle, const Context& c) const {
  const double radius = unitsOf(m_style.ink(1));
  QPainterPath round;
  round.addEllipse(middle, radius, radius);
  if (!c.area.contains(round.boundingRect()))
    return filled(round.toFillPolygon(), "fill=" + pgfColour(colour), c.area, c);
  return "\\fill[color=" + pgfColour(colour) + "] " + c.at(middle) + " circle (" + pgfNumber(m_style.ink(1)) +
         "pt);\n";
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
std::string PgfMarks::thinOptions(const QColor& colour) const {
  return "draw=" + pgfColour(colour) + ", line width=" + pgfNumber(m_style.axisPoints) + "pt, line cap=rect";
}

std::string PgfMarks::markerOptions(const MarkStyle& style) const {
  const double size = (style.markerSize > 0 ? m_style.ink(style.markerSize) : m_style.markerPoints) / 2;
  const MarkerShape shape = style.marker == MarkerShape::None ? MarkerShape::Disc : style.marker;
  return std::string("only marks, mark=") + wordOf(kPgfMarkers, shape) + ", mark size=" + pgfNumber(size) +
         "pt, mark options={solid, fill=" + pgfColour(ink(style)) + "}";
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
  return picture(pngOf(image), c.area, c);
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
  std::string options = strokeOptions(s);
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
  return x.empty() ? std::string() : series(x, y, markerOptions(s));
}

std::string PgfMarks::shape(const SegmentsMark& m, const MarkStyle& s, const Context& c) {
  std::string text;
  for (std::size_t i = 0; i < m.x0.size(); ++i) {
    MarkStyle one = s;
    if (!m.weight.empty()) one.opacity *= std::clamp(m.weight[i], 0.0, 1.0);
    const QPointF from = c.pixel(m.x0[i], m.y0[i]), to = c.pixel(m.x1[i], m.y1[i]);
    if (!std::isfinite(from.x() + from.y() + to.x() + to.y()) || from == to) continue;
    text += stroked({from, to}, strokeOptions(one), c.area, c);
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
  std::string text = outline(x, y, strokeOptions(s) + ", " + fillOptions(s));
  if (m.quartile1 && m.quartile3)
    text += stroked({c.pixel(m.position, *m.quartile1), c.pixel(m.position, *m.quartile3)},
                    thinOptions(m_style.text), c.area, c);
  if (m.median) text += disc(m_style.text, c.pixel(m.position, *m.median), c);
  return text;
}

std::string PgfMarks::shape(const BoxMark& m, const MarkStyle& s, const Context& c) {
  const double left = m.position - m.width / 2, right = m.position + m.width / 2;
  const std::string pen = strokeOptions(s);
  const QPolygonF corners({c.pixel(left, m.quartile3), c.pixel(right, m.quartile3),
                           c.pixel(right, m.quartile1), c.pixel(left, m.quartile1)});
  std::string text = s.fill > 0 ? filled(corners, fillOptions(s), c.area, c) : std::string();
  std::vector<QPointF> around(corners.begin(), corners.end());
  around.push_back(around.front());
  text += stroked(around, pen, c.area, c);
  const auto line = [&](double x0, double y0, double x1, double y1) {
    text += stroked({c.pixel(x0, y0), c.pixel(x1, y1)}, pen, c.area, c);
  };
  line(left, m.median, right, m.median);
  line(m.position, m.quartile3, m.position, m.maximum);
  line(m.position, m.quartile1, m.position, m.minimum);
  for (const double value : m.outliers) text += disc(ink(s), c.pixel(m.position, value), c);
  return text;
}

std::string PgfMarks::shape(const BarsMark& m, const MarkStyle& s, const Context& c) {
  const std::string filling = s.fill > 0 ? fillOptions(s) : solidOptions(s);
  const double base = std::isfinite(c.y.toUnit(m.base)) ? m.base : c.y.fromUnit(c.rangeY.low);
  std::string text;
  for (std::size_t i = 0; i < m.x.size(); ++i) {
    if (!std::isfinite(c.y.toUnit(m.height[i]))) continue;
    text += box(
        QRectF(c.pixel(m.x[i] - m.width / 2, base), c.pixel(m.x[i] + m.width / 2, m.height[i])).normalized(),
        filling, c);
    if (m.error.empty() || !std::isfinite(m.error[i])) continue;
    const double low = m.height[i] - m.error[i];
    text += stroked({c.pixel(m.x[i], std::isfinite(c.y.toUnit(low)) ? low : base),
                     c.pixel(m.x[i], m.height[i] + m.error[i])},
                    thinOptions(m_style.text), c.area, c);
  }
  return text;
}

std::string PgfMarks::shape(const RuleMark& m, const MarkStyle& s, const Context& c) {
  const double at = m.vertical ? c.pixelX(m.position) : c.pixelY(m.position);
  const std::vector<QPointF> line = m.vertical
                                        ? std::vector<QPointF>{{at, c.area.top()}, {at, c.area.bottom()}}
                                        : std::vector<QPointF>{{c.area.left(), at}, {c.area.right(), at}};
  return stroked(line, strokeOptions(s), c.area, c);
}

std::string PgfMarks::shape(const PolygonMark& m, const MarkStyle& s, const Context& c) {
  Values x, y;
  for (std::size_t i = 0; i < m.x.size(); ++i) {
    x.push_back(c.coordinateX(m.x[i]));
    y.push_back(c.coordinateY(m.y[i]));
  }
  return outline(x, y, strokeOptions(s) + ", " + fillOptions(s));
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
  return outline(x, y, strokeOptions(s) + ", " + fillOptions(s));
}

std::string PgfMarks::shape(const ImageMark& m, const MarkStyle&, const Context& c) {
  const QByteArray bytes = QByteArray::fromBase64(QByteArray::fromStdString(m.png));
  const QRectF box = QRectF(c.pixel(m.x0, m.y0), c.pixel(m.x1, m.y1)).normalized();
  if (c.area.contains(box)) return picture(bytes.toStdString(), box, c);
  const QRectF inside = box.intersected(c.area);
  const QImage whole = QImage::fromData(bytes, "PNG");
  if (inside.isEmpty() || whole.isNull()) return {};
  const double wide = whole.width() / box.width(), high = whole.height() / box.height();
  const QRectF part((inside.left() - box.left()) * wide, (inside.top() - box.top()) * high,
                    inside.width() * wide, inside.height() * high);
  return picture(pngOf(whole.copy(part.toAlignedRect().intersected(whole.rect()))), inside, c);
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
