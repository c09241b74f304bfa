// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cmath>
#include <vector>

#include "views/figure/figure_spec.h"

namespace fathom {

// Maps values of an axis to its linear coordinate ("unit"): identity, log10, or symlog
// sign(v) log10(1 + |v| / linearBelow). NaN where a value cannot be shown.
class AxisMap {
 public:
  AxisMap() = default;
  explicit AxisMap(const FigureAxis& axis) : m_scale(axis.scale), m_linearBelow(axis.linearBelow) {}
  double toUnit(double value) const;
  double fromUnit(double unit) const;
  AxisScale scale() const { return m_scale; }

 private:
  AxisScale m_scale = AxisScale::Linear;
  double m_linearBelow = 1;
};

struct AxisRange {
  double low = 0, high = 1;  // units
  double size() const { return high - low; }
};

struct AxisTick {
  double unit = 0;
  QString label;  // markup; empty for minor ticks
  bool minor = false;
};

// About `wanted` labelled ticks inside the range, and minor ones of logarithmic axes.
std::vector<AxisTick> axisTicks(const FigureAxis& axis, const AxisRange& range, int wanted);
// Ticks of an axis of dates, whose values are seconds after `from` (seconds since 1970): at whole seconds,
// minutes, hours, days, months or years, as many as about `wanted` leave room for, at least two where the
// range has two different seconds. UTC, so that a figure looks the same wherever it is made. The first tick,
// and the first of each day, names the day, too.
std::vector<AxisTick> dateTicks(double from, const AxisRange& range, int wanted);

// "2026-11-30 09:47:39", UTC, of seconds since 1970; with milliseconds where there are some. Empty where it
// is no date.
QString momentText(double seconds);

// The distance of nice labelled ticks: 1, 2 or 5 times a power of ten.
double niceStep(double span, int wanted);

// Text of a value for ticks ("0.5", "12k", "10<sup>-4</sup>"), given the distance of its neighbours and the
// largest value on the axis (labels of one axis share their unit).
QString tickText(double value, double step, double largest);
// Text of a value for tooltips and tables: six significant digits, "NaN", "∞".
QString valueText(double value);
// The same with four digits that mean something, for sentences and scales.
QString shortValueText(double value);
// With every digit, as the language writes it: what a tool tip says of a rounded number.
QString numberInFull(double value);

// The range that shows all data of the panel on one of its axes: the axis' own limits where set, else the
// finite data with a margin (none along x for lines). Nothing to show: 0 ... 1 (log: 0.1 ... 1).
AxisRange panelRange(const FigurePanel& panel, bool horizontal);
// Finite values of the panel's marks that a logarithmic axis cannot show.
std::size_t hiddenByLog(const FigurePanel& panel, bool horizontal);

}  // namespace fathom
