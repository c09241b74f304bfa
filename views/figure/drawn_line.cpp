// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <optional>

#include "views/figure/line_clip.h"

namespace fathom {

namespace {

constexpr double kVectorColumns = 2;                      // per unit, in files
constexpr double kDenseVector = 1.5, kDenseScreen = 0.3;  // points per column from which a line is reduced
constexpr double kFar = 1e5;  // coordinates are clamped here: the rasteriser and PDF dislike 1e300

// Visible part of a series whose x rises: the points inside and one neighbour on each side.
std::pair<std::size_t, std::size_t> visiblePart(const std::vector<double>& x, const MarkCanvas& canvas) {
  if (!std::is_sorted(x.begin(), x.end())) return {0, x.size()};
  const double low = canvas.x.fromUnit(canvas.rangeX.low), high = canvas.x.fromUnit(canvas.rangeX.high);
  auto first = std::lower_bound(x.begin(), x.end(), low);
  auto last = std::upper_bound(x.begin(), x.end(), high);
  if (first != x.begin()) --first;
  if (last != x.end()) ++last;
  return {static_cast<std::size_t>(first - x.begin()), static_cast<std::size_t>(last - x.begin())};
}

// Vector media: two points per column, in the order of the line.
class OrderedReducer {
 public:
  explicit OrderedReducer(DrawnLine& line) : m_line(line) {}

  void add(const QPointF& point) {
    const double column = std::floor(point.x() * kVectorColumns);
    if (m_count > 0 && column != m_column) flush();
    if (m_count == 0) {
      m_column = column;
      m_lowest = m_highest = point;
    }
    ++m_count;
    if (point.y() < m_highest.y()) m_highest = point;
    if (point.y() > m_lowest.y()) m_lowest = point;
  }
  void breakLine() {
    flush();
    m_open = false;
  }

 private:
  void flush() {
    if (m_count == 0) return;
    if (!m_open) m_line.pieces.emplace_back();
    m_open = true;
    std::vector<QPointF>& piece = m_line.pieces.back();
    const bool downFirst = piece.empty() || std::abs(piece.back().y() - m_highest.y()) <
                                                std::abs(piece.back().y() - m_lowest.y());
    piece.push_back(downFirst ? m_highest : m_lowest);
    if (m_lowest.y() > m_highest.y()) piece.push_back(downFirst ? m_lowest : m_highest);
    m_count = 0;
  }

  DrawnLine& m_line;
  bool m_open = false;
  int m_count = 0;
  double m_column = 0;
  QPointF m_lowest, m_highest;
};

// The screen: what the line covers of each column of pixels becomes an upright bar where it is steep, and a
// point of an antialiased line where it is flat. Costs the number of columns, whatever the noise.
class ColumnReducer {
 public:
  ColumnReducer(DrawnLine& line, const MarkCanvas& canvas)
      : m_line(line),
        m_width(1 / canvas.scale),
        m_first(std::floor(canvas.area.left() / m_width) - 2),
        m_end(std::ceil(canvas.area.right() / m_width) + 2) {}

  void add(const QPointF& point) {
    const QPointF from = m_last.value_or(point);
    const double firstColumn = std::max(m_first, std::floor(from.x() / m_width));
    const double lastColumn = std::min(m_end, std::floor(point.x() / m_width));
    const double slope = point.x() > from.x() ? (point.y() - from.y()) / (point.x() - from.x()) : 0;
    for (double column = firstColumn; column <= lastColumn; ++column) {
      const double left = std::max(from.x(), column * m_width),
                   right = std::min(point.x(), (column + 1) * m_width);
      cover(column, from.y() + slope * (left - from.x()));
      cover(column, point.x() > from.x() ? from.y() + slope * (right - from.x()) : point.y());
    }
    m_last = point;
  }
  void breakLine() {
    flush();
    m_open = m_steepBefore = false;
    m_last.reset();
  }

 private:
  void cover(double column, double y) {
    if (m_count > 0 && column != m_column) flush();
    if (m_count == 0) {
      m_column = column;
      m_top = m_bottom = y;
    }
    ++m_count;
    m_top = std::min(m_top, y);
    m_bottom = std::max(m_bottom, y);
  }
  void flush() {
    if (m_count == 0) return;
    m_count = 0;
    const QPointF middle((m_column + 0.5) * m_width, (m_top + m_bottom) / 2);
    const double extent = m_bottom - m_top;
    const bool steep = extent > 1.5 * m_width;
    if (steep) m_line.columns.emplace_back(m_column * m_width, m_top, m_width, extent);
    // Neighbouring bars touch; a line is needed only to and from flat columns.
    if (steep && m_steepBefore) {
      m_open = false;
    } else {
      if (!m_open) {
        m_line.pieces.emplace_back();
        if (m_steepBefore) m_line.pieces.back().push_back(m_middle);
      }
      m_open = true;
      m_line.pieces.back().push_back(middle);
    }
    m_steepBefore = steep;
    m_middle = middle;
  }

  DrawnLine& m_line;
  double m_width, m_first, m_end;
  std::optional<QPointF> m_last;
  bool m_open = false, m_steepBefore = false;
  int m_count = 0;
  double m_column = 0, m_top = 0, m_bottom = 0;
  QPointF m_middle;
};

// The part of the segment inside the box (Liang and Barsky); false where there is none.
bool clipSegment(QPointF& from, QPointF& to, const QRectF& box) {
  const QPointF step = to - from;
  double enter = 0, leave = 1;
  const auto edge = [&](double direction, double distance) {
    if (direction == 0) return distance >= 0;
    const double at = distance / direction;
    if (direction < 0) enter = std::max(enter, at);
    if (direction > 0) leave = std::min(leave, at);
    return enter <= leave;
  };
  if (!edge(-step.x(), from.x() - box.left()) || !edge(step.x(), box.right() - from.x()) ||
      !edge(-step.y(), from.y() - box.top()) || !edge(step.y(), box.bottom() - from.y()))
    return false;
  if (leave < 1) to = from + leave * step;
  if (enter > 0) from += enter * step;
  return true;
}

// Few points on the screen: the line as it is, without what lies outside the panel. The rasteriser would work
// on all of it, however far away it is.
class ScreenClipper {
 public:
  ScreenClipper(DrawnLine& line, const QRectF& area, double margin = kMargin)
      : m_line(line), m_box(area.adjusted(-margin, -margin, margin, margin)) {}

  void add(const QPointF& point) {
    if (!m_last) {
      if (m_box.contains(point)) start(point);
    } else {
      QPointF from = *m_last, to = point;
      if (!clipSegment(from, to, m_box)) {
        m_open = false;
      } else {
        if (!m_open || from != *m_last) start(from);
        m_line.pieces.back().push_back(to);
        m_open = to == point;
      }
    }
    m_last = point;
  }
  void breakLine() {
    m_open = false;
    m_last.reset();
  }

 private:
  static constexpr double kMargin = 16;  // wider than half of any line or marker
  void start(const QPointF& point) {
    m_line.pieces.emplace_back();
    m_line.pieces.back().push_back(point);
    m_open = true;
  }
  DrawnLine& m_line;
  QRectF m_box;
  std::optional<QPointF> m_last;
  bool m_open = false;
};

template <class Reducer>
void reduce(Reducer reducer, const std::vector<double>& x, const std::vector<double>& y, std::size_t first,
            std::size_t end, const MarkCanvas& canvas) {
  for (std::size_t i = first; i < end; ++i) {
    const QPointF point = canvas.pixel(x[i], y[i]);
    if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
      reducer.breakLine();
      continue;
    }
    reducer.add({std::clamp(point.x(), -kFar, kFar), std::clamp(point.y(), -kFar, kFar)});
  }
  reducer.breakLine();
}

}  // namespace

DrawnLine clippedLine(const DrawnLine& line, const QRectF& area) {
  DrawnLine inside;
  inside.columns = line.columns;
  ScreenClipper clipper(inside, area, 0);
  for (const std::vector<QPointF>& piece : line.pieces) {
    for (const QPointF& point : piece) clipper.add(point);
    clipper.breakLine();
  }
  return inside;
}

QPolygonF clippedOutline(const QPolygonF& outline, const QRectF& area) {
  if (area.contains(outline.boundingRect())) return outline;
  // One side of the area after the other (Sutherland and Hodgman).
  QPolygonF kept = outline;
  const auto cut = [&kept](const auto& inside, const auto& crossing) {
    QPolygonF next;
    for (qsizetype i = 0; i < kept.size(); ++i) {
      const QPointF &from = kept[(i + kept.size() - 1) % kept.size()], &to = kept[i];
      if (inside(from) != inside(to)) next << crossing(from, to);
      if (inside(to)) next << to;
    }
    kept = std::move(next);
  };
  const auto upright = [](double x) {
    return [x](const QPointF& a, const QPointF& b) {
      return QPointF(x, a.y() + (b.y() - a.y()) * (x - a.x()) / (b.x() - a.x()));
    };
  };
  const auto level = [](double y) {
    return [y](const QPointF& a, const QPointF& b) {
      return QPointF(a.x() + (b.x() - a.x()) * (y - a.y()) / (b.y() - a.y()), y);
    };
  };
  cut([&](const QPointF& p) { return p.x() >= area.left(); }, upright(area.left()));
  cut([&](const QPointF& p) { return p.x() <= area.right(); }, upright(area.right()));
  cut([&](const QPointF& p) { return p.y() >= area.top(); }, level(area.top()));
  cut([&](const QPointF& p) { return p.y() <= area.bottom(); }, level(area.bottom()));
  return kept;
}

void paintOutlineInside(QPainter& painter, const QPolygonF& outline, const QRectF& area) {
  if (outline.isEmpty()) return;
  if (area.contains(outline.boundingRect())) return painter.drawPolygon(outline);
  const QPen pen = painter.pen();
  painter.setPen(Qt::NoPen);
  painter.drawPolygon(clippedOutline(outline, area));
  painter.setPen(pen);
  if (pen.style() == Qt::NoPen) return;
  DrawnLine around{{{outline.begin(), outline.end()}}, {}};
  around.pieces.front().push_back(outline.front());
  for (const auto& piece : clippedLine(around, area).pieces)
    painter.drawPolyline(piece.data(), static_cast<int>(piece.size()));
}

void paintLineInside(QPainter& painter, const QPointF& from, const QPointF& to, const QRectF& area) {
  if (area.contains(from) && area.contains(to)) return painter.drawLine(from, to);
  const DrawnLine line{{{from, to}}, {}};
  for (const auto& piece : clippedLine(line, area).pieces)
    painter.drawPolyline(piece.data(), static_cast<int>(piece.size()));
}

void paintDiscInside(QPainter& painter, const QPointF& middle, double size, const QRectF& area) {
  painter.setPen(Qt::NoPen);
  QPainterPath disc;
  disc.addEllipse(middle, size / 2, size / 2);
  if (area.contains(disc.boundingRect())) return painter.drawPath(disc);
  const QPolygonF inside = clippedOutline(disc.toFillPolygon(), area);
  if (!inside.isEmpty()) painter.drawPolygon(inside);
}

DrawnLine drawnLine(const std::vector<double>& x, const std::vector<double>& y, const MarkCanvas& canvas) {
  DrawnLine line;
  const auto [first, end] = visiblePart(x, canvas);
  const double points = static_cast<double>(end - first);
  if (canvas.vector && points > kDenseVector * kVectorColumns * canvas.area.width()) {
    reduce(OrderedReducer(line), x, y, first, end, canvas);
    return line;
  }
  if (!canvas.vector && points > kDenseScreen * canvas.scale * canvas.area.width()) {
    reduce(ColumnReducer(line, canvas), x, y, first, end, canvas);
    return line;
  }
  if (!canvas.vector) {
    reduce(ScreenClipper(line, canvas.area), x, y, first, end, canvas);
    return line;
  }
  bool open = false;
  for (std::size_t i = first; i < end; ++i) {
    const QPointF point = canvas.pixel(x[i], y[i]);
    if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
      open = false;
      continue;
    }
    if (!open) line.pieces.emplace_back();
    open = true;
    line.pieces.back().emplace_back(std::clamp(point.x(), -kFar, kFar), std::clamp(point.y(), -kFar, kFar));
  }
  return line;
}

}  // namespace fathom
