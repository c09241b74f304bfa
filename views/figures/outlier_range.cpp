// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/outlier_range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/numbers/quantile.h"

namespace fathom {

namespace {

constexpr double kTail = 0.05, kFarWidths = 10;
constexpr std::size_t kMostPlaces = 50;
constexpr std::size_t kFewest = 8;  // fewer values have no tails

}  // namespace

PointsMark outlierPlaces(const LineMark& line, const AxisMap& map, const AxisRange& range, double& farthest) {
  const double edge = kOutlierMargin / 3 * range.size();
  PointsMark places;
  bool outside = false;
  for (std::size_t i = 0; i < line.y.size(); ++i) {
    const double unit = map.toUnit(line.y[i]);
    const bool beyond = std::isfinite(unit) && (unit > range.high || unit < range.low);
    if (beyond && std::abs(line.y[i]) > std::abs(farthest)) farthest = line.y[i];
    if (beyond && !outside && places.x.size() < kMostPlaces) {
      places.x.push_back(line.x[i]);
      places.y.push_back(map.fromUnit(unit > range.high ? range.high - edge : range.low + edge));
    }
    outside = beyond;
  }
  return places;
}

FigureMark outlierMark(const FigureMark& line, PointsMark places) {
  FigureMark mark;
  mark.selection = line.selection;
  mark.style = line.style;
  mark.style.marker = MarkerShape::Triangle;
  mark.style.markerSize = 9;
  mark.shape = std::move(places);
  return mark;
}

void OutlierRange::add(std::vector<double> units) {
  std::erase_if(units, [](double unit) { return !std::isfinite(unit); });
  if (units.empty()) return;
  std::sort(units.begin(), units.end());
  m_curves.push_back(std::move(units));
}

AxisRange OutlierRange::kept() const {
  std::vector<double> widths;
  double least = std::numeric_limits<double>::infinity(), most = -least;  // what has to be seen
  for (const std::vector<double>& curve : m_curves) {
    const bool few = curve.size() < kFewest;
    widths.push_back(few ? curve.back() - curve.front()
                         : quantileOfSorted(curve, 1 - kTail) - quantileOfSorted(curve, kTail));
    least = std::min(least, few ? curve.front() : quantileOfSorted(curve, 0.5));
    most = std::max(most, few ? curve.back() : quantileOfSorted(curve, 0.5));
  }
  if (widths.empty()) return {0, 0};
  const auto middle = widths.begin() + static_cast<std::ptrdiff_t>((widths.size() - 1) / 2);
  std::nth_element(widths.begin(), middle, widths.end());
  // A curve that rests on one value, a schedule of the learning rate, says nothing about what is far.
  const double reach = *middle > 0 ? kFarWidths * *middle : std::numeric_limits<double>::infinity();
  const double below = least - reach, above = most + reach;
  AxisRange kept{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const std::vector<double>& curve : m_curves) {
    const auto first = std::lower_bound(curve.begin(), curve.end(), below);
    const auto end = std::upper_bound(first, curve.end(), above);
    if (first == end) continue;
    kept.low = std::min(kept.low, *first);
    kept.high = std::max(kept.high, *(end - 1));
  }
  return kept;
}

bool OutlierRange::any() const {
  const AxisRange range = kept();
  return std::any_of(m_curves.begin(), m_curves.end(), [&range](const std::vector<double>& curve) {
    return curve.front() < range.low || curve.back() > range.high;
  });
}

}  // namespace fathom
