// SPDX-License-Identifier: GPL-3.0-or-later
// Which points of the curves are drawn, and which curves pass through a place.
#include <algorithm>
#include <cmath>

#include "core/base/numbers/not_a_number.h"
#include "views/panels/train/curve_figure.h"

namespace fathom {

namespace {

FigureAxis sampleAxis(AxisScale scale) {
  FigureAxis axis;
  axis.scale = scale;
  return axis;
}

// The first index of from ... end - 1 whose x is not below `at`, which is expected near `from`: a long series
// is read where it is shown only.
std::size_t indexFrom(const std::vector<double>& x, std::size_t from, std::size_t end, double at) {
  std::size_t low = from, step = 16;
  while (low + step < end && x[low + step] < at) {
    low += step;
    step *= 2;
  }
  const auto begin = x.begin() + static_cast<std::ptrdiff_t>(low);
  const auto last = x.begin() + static_cast<std::ptrdiff_t>(std::min(end, low + step));
  return static_cast<std::size_t>(std::lower_bound(begin, last, at) - x.begin());
}

}  // namespace

CurveSample sampleCurve(const std::vector<double>& x, const CurvePyramid& y, const AxisMap& map,
                        const AxisRange& range, int columns, double divisor) {
  CurveSample sample;
  const auto values = y.values();
  const auto indexOf = [&](double unit) {
    return static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), map.fromUnit(unit) * divisor) -
                                    x.begin());
  };
  std::size_t first = indexOf(range.low), end = indexOf(range.high);
  first = first > 0 ? first - 1 : 0;
  end = std::min(end + 2, std::min(x.size(), values.size()));
  const auto push = [&sample](double at, double value) {
    sample.x.push_back(at);
    sample.y.push_back(value);
  };
  if (end <= first) return sample;
  if (end - first <= 4 * static_cast<std::size_t>(columns)) {
    bool good = true;
    for (std::size_t i = first; i < end; ++i) {
      if (std::isnan(x[i])) continue;  // of an import that does not tell it
      push(x[i] / divisor, std::isfinite(values[i]) ? values[i] : kNaN);
      if (good && !std::isfinite(values[i])) sample.bad.push_back(x[i] / divisor);
      good = std::isfinite(values[i]);
    }
    return sample;
  }
  std::size_t from = first;
  for (int column = 0; column < columns && from < end; ++column) {
    const double edge = range.low + range.size() * (column + 1) / columns;
    const std::size_t to =
        column + 1 == columns ? end : indexFrom(x, from, end, map.fromUnit(edge) * divisor);
    if (to <= from) continue;
    const CurveBlock block = y.query(from, to);
    const double at = map.fromUnit(range.low + range.size() * (column + 0.5) / columns);
    if (block.nonFinite() > 0) sample.bad.push_back(x[from] / divisor);
    if (block.finite == 0) {
      push(at, kNaN);
    } else {
      // Follow the line: what is nearer to the last value comes first.
      const double last = sample.y.empty() ? block.minimum : sample.y.back();
      const bool up = std::abs(last - block.minimum) <= std::abs(last - block.maximum);
      push(at, up ? block.minimum : block.maximum);
      push(at, up ? block.maximum : block.minimum);
    }
    from = to;
  }
  return sample;
}

std::vector<double> droppedValues(const CurveLine& line, CurveAxis axis, double at) {
  std::vector<double> values;
  for (const CurveLineTail& tail : line.dropped) {
    const std::vector<double>& x = tail.x(axis);
    if (at < x.front() || at > x.back()) continue;
    const auto found = std::lower_bound(x.begin(), x.end(), at) - x.begin();
    values.push_back(tail.values.values()[static_cast<std::size_t>(found)]);
  }
  return values;
}

QStringList runsThrough(CurveSet& set, const CurveLook& look, const QString& metric,
                        const PanelRanges& region) {
  const AxisMap mapX(sampleAxis(look.scaleX)), mapY(sampleAxis(look.scaleY));
  const double divisor = curveExtent(set, look).divisor;
  const double left = mapX.fromUnit(region.x.low) * divisor, right = mapX.fromUnit(region.x.high) * divisor;
  QStringList runs;
  for (const CurveLine* line : set.lines(metric)) {
    const std::vector<double>& x = line->x(look.axis);
    const auto values = line->shown().values();
    const auto first = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), left) - x.begin());
    const auto end = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), right) - x.begin());
    // The curve over the region is connected: it passes through if its extent there meets the region's.
    CurveBlock extent = line->shown().query(first, end);
    const auto addBetween = [&](std::size_t after, double at) {
      if (after == 0 || after >= std::min(x.size(), values.size()) || !(x[after] > x[after - 1])) return;
      const double share = (at - x[after - 1]) / (x[after] - x[after - 1]);
      extent.add(values[after - 1] + share * (values[after] - values[after - 1]));
    };
    addBetween(first, left);
    addBetween(end, right);
    if (extent.finite == 0) continue;
    if (mapY.toUnit(extent.maximum) >= region.y.low && !(mapY.toUnit(extent.minimum) > region.y.high))
      runs << line->members;
  }
  return runs;
}

}  // namespace fathom
