// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "views/figure/mark_painter.h"

namespace fathom {

namespace {

constexpr double kDensePerColumn = 1.5;
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

// Collects the points of one column and hands out what is left of them.
class ColumnReducer {
 public:
  ColumnReducer(DrawnLine& line, const MarkCanvas& canvas)
      : m_line(line), m_vector(canvas.vector), m_perUnit(canvas.vector ? 2 : canvas.scale) {}

  void add(const QPointF& point) {
    const double column = std::floor(point.x() * m_perUnit);
    if (m_count > 0 && column != m_column) flush();
    if (m_count == 0) {
      m_column = column;
      m_first = m_lowest = m_highest = m_last = point;
    }
    ++m_count;
    m_last = point;
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
    const double extent = m_lowest.y() - m_highest.y();
    const double width = 1 / m_perUnit;
    if (m_count == 1 || extent < 0.75 * width) {
      piece.emplace_back(m_first.x(), (m_lowest.y() + m_highest.y()) / 2);
    } else if (m_vector) {
      const bool downFirst = piece.empty() || std::abs(piece.back().y() - m_highest.y()) <
                                                  std::abs(piece.back().y() - m_lowest.y());
      piece.push_back(downFirst ? m_highest : m_lowest);
      piece.push_back(downFirst ? m_lowest : m_highest);
    } else {
      m_line.columns.emplace_back(m_column * width, m_highest.y(), width, std::max(extent, width));
      piece.emplace_back((m_column + 0.5) * width, (m_lowest.y() + m_highest.y()) / 2);
    }
    m_count = 0;
  }

  DrawnLine& m_line;
  bool m_vector;
  double m_perUnit;
  bool m_open = false;
  int m_count = 0;
  double m_column = 0;
  QPointF m_first, m_last, m_lowest, m_highest;
};

}  // namespace

DrawnLine drawnLine(const std::vector<double>& x, const std::vector<double>& y, const MarkCanvas& canvas) {
  DrawnLine line;
  const auto [first, end] = visiblePart(x, canvas);
  const double columns = canvas.area.width() * (canvas.vector ? 2 : canvas.scale);
  const bool dense = static_cast<double>(end - first) > kDensePerColumn * columns;
  ColumnReducer reducer(line, canvas);
  bool open = false;
  for (std::size_t i = first; i < end; ++i) {
    QPointF point = canvas.pixel(x[i], y[i]);
    if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
      if (dense) reducer.breakLine();
      open = false;
      continue;
    }
    point.setX(std::clamp(point.x(), -kFar, kFar));
    point.setY(std::clamp(point.y(), -kFar, kFar));
    if (dense) {
      reducer.add(point);
      continue;
    }
    if (!open) line.pieces.emplace_back();
    open = true;
    line.pieces.back().push_back(point);
  }
  reducer.breakLine();
  return line;
}

}  // namespace fathom
