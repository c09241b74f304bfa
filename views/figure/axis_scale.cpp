// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/axis_scale.h"

#include <QLocale>
#include <algorithm>
#include <limits>

#include "core/base/numbers/not_a_number.h"

namespace fathom {

namespace {

QString withMinus(QString text) {
  return text.replace(u'-', QStringLiteral("−"));
}

QString powerOfTen(int exponent) {
  return QStringLiteral("10<sup>%1</sup>").arg(withMinus(QString::number(exponent)));
}

// Decades: plain digits where all of the axis lie near 1, else powers.
QString decadeText(double value, int exponent, bool powers) {
  return powers ? powerOfTen(exponent) : withMinus(QString::number(value, 'g', 12));
}
bool needPowers(int first, int last) {
  return first < -3 || last > 4 || last - first > 5;
}

bool inside(const AxisRange& range, double unit) {
  const double slack = 1e-9 * std::max(1.0, std::abs(range.size()));
  return unit >= range.low - slack && unit <= range.high + slack;
}

std::vector<AxisTick> ticksWithStep(const AxisMap& map, double low, double high, double step) {
  std::vector<AxisTick> ticks;
  if (!(step > 0) || !std::isfinite(step)) return ticks;
  for (double k = std::ceil(low / step - 1e-9); ticks.size() < 200; ++k) {
    const double value = k * step;  // beyond the largest double there is none
    if (!std::isfinite(value) || value > high + 1e-9 * step) break;
    ticks.push_back(
        {map.toUnit(value), tickText(value, step, std::max(std::abs(low), std::abs(high))), false});
  }
  return ticks;
}

// At least two, or no length on the axis can be read.
std::vector<AxisTick> linearTicks(const AxisMap& map, const AxisRange& range, int wanted, bool whole) {
  constexpr int kMore = 3;
  const double low = map.fromUnit(range.low), high = map.fromUnit(range.high);
  std::vector<AxisTick> ticks;
  for (int more = 0; more <= kMore && ticks.size() < 2; ++more) {
    const double step = niceStep(high - low, wanted + more);
    ticks = ticksWithStep(map, low, high, whole && step > 0 ? std::max(step, 1.0) : step);
  }
  return ticks;
}

std::vector<AxisTick> logTicks(const AxisMap& map, const AxisRange& range, int wanted, bool whole) {
  if (range.size() < 0.9) return linearTicks(map, range, wanted, whole);
  std::vector<AxisTick> ticks;
  const int first = static_cast<int>(std::floor(range.low + 1e-9)),
            last = static_cast<int>(std::ceil(range.high));
  // Decades on the axis: labels are counted from the first of them, so that a short axis has two.
  const int from = static_cast<int>(std::ceil(range.low - 1e-9)),
            decades = static_cast<int>(std::floor(range.high + 1e-9)) - from + 1;
  const int every =
      std::max(1, static_cast<int>(std::ceil(decades / static_cast<double>(std::max(wanted, 2)))));
  const bool powers = needPowers(first, last);
  const bool halves = decades < 2 || (range.size() < 2.2 && wanted >= 4);
  for (int exponent = first; exponent <= last; ++exponent) {
    const double decade = std::pow(10.0, exponent);
    for (int digit = 1; digit <= 9; ++digit) {
      const double unit = exponent + std::log10(digit);
      if (!inside(range, unit)) continue;
      const bool major = digit == 1 ? (exponent - from) % every == 0 : halves && (digit == 2 || digit == 5);
      // On an axis that leaves out the numbers of some decades, ticks inside of decades would be a bar.
      if (digit > 1 && !major && (every > 1 || last - first > 12)) continue;
      QString label;
      if (major && digit == 1) label = decadeText(decade, exponent, powers);
      if (major && digit > 1)
        label = powers ? QStringLiteral("%1·%2").arg(digit).arg(powerOfTen(exponent))
                       : withMinus(QString::number(digit * decade, 'g', 12));
      ticks.push_back({unit, label, !major});
    }
  }
  return ticks;
}

std::vector<AxisTick> symlogTicks(const FigureAxis& axis, const AxisRange& range, int wanted) {
  std::vector<AxisTick> ticks;
  const AxisMap map(axis);
  const double largest = std::max(std::abs(map.fromUnit(range.low)), std::abs(map.fromUnit(range.high)));
  const int first = static_cast<int>(std::ceil(std::log10(axis.linearBelow)));
  const int last = largest > 0 ? static_cast<int>(std::floor(std::log10(largest) + 1e-9)) : first;
  const int every = std::max(1, 2 * (last - first + 1) / std::max(wanted, 2));
  if (inside(range, 0)) ticks.push_back({0, QStringLiteral("0"), false});
  for (int exponent = first; exponent <= last; exponent += every) {
    for (const double sign : {1.0, -1.0}) {
      const double value = sign * std::pow(10.0, exponent);
      if (!inside(range, map.toUnit(value))) continue;
      const QString label = decadeText(std::abs(value), exponent, needPowers(first, last));
      ticks.push_back({map.toUnit(value), sign < 0 ? QStringLiteral("−") + label : label, false});
    }
  }
  return ticks;
}

std::vector<AxisTick> wordTicks(const FigureAxis& axis, const AxisRange& range) {
  std::vector<AxisTick> ticks;
  for (std::size_t i = 0; i < axis.categories.size(); ++i)
    if (inside(range, static_cast<double>(i)))
      ticks.push_back({static_cast<double>(i), QString::fromStdString(axis.categories[i]), false});
  return ticks;
}

// Collects what a mark occupies along one axis.
struct Extent {
  AxisMap map;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool tight = false;  // the data end at the frame (lines along x, cells)
  std::size_t hidden = 0;

  void add(double value) {
    if (!std::isfinite(value)) return;
    const double unit = map.toUnit(value);
    if (!std::isfinite(unit)) {
      ++hidden;
      return;
    }
    low = std::min(low, unit);
    high = std::max(high, unit);
  }
  void add(const std::vector<double>& values) {
    for (const double value : values) add(value);
  }
};

struct ExtentOf {
  Extent& out;
  bool horizontal;
  void operator()(const LineMark& m) const {
    out.add(horizontal ? m.x : m.y);
    out.tight = out.tight || horizontal;
  }
  void operator()(const BandMark& m) const {
    if (horizontal) {
      out.tight = true;
      return out.add(m.x);
    }
    out.add(m.lower);
    out.add(m.upper);
  }
  void operator()(const PointsMark& m) const { out.add(horizontal ? m.x : m.y); }
  void operator()(const SegmentsMark& m) const {
    out.add(horizontal ? m.x0 : m.y0);
    out.add(horizontal ? m.x1 : m.y1);
  }
  void operator()(const CellsMark& m) const {
    out.add(-0.5);
    out.add((horizontal ? m.columns : m.rows) - 0.5);
    out.tight = true;
  }
  void operator()(const ViolinMark& m) const {
    if (!horizontal) return out.add(m.grid);
    out.add(m.position - m.width / 2);
    out.add(m.position + m.width / 2);
  }
  void operator()(const BoxMark& m) const {
    if (horizontal) {
      out.add(m.position - m.width / 2);
      return out.add(m.position + m.width / 2);
    }
    out.add(m.minimum);
    out.add(m.maximum);
    out.add(m.outliers);
  }
  void operator()(const BarsMark& m) const {
    if (!horizontal && out.map.scale() != AxisScale::Log) out.add(m.base);
    for (std::size_t i = 0; i < m.x.size(); ++i) {
      const double error = m.error.empty() || !std::isfinite(m.error[i]) ? 0 : m.error[i];
      out.add(horizontal ? m.x[i] - m.width / 2 : m.height[i] + error);
      out.add(horizontal ? m.x[i] + m.width / 2 : m.height[i] - error);
    }
  }
  void operator()(const RuleMark& m) const {
    if (m.vertical == horizontal) out.add(m.position);
  }
  void operator()(const PolygonMark& m) const { out.add(horizontal ? m.x : m.y); }
  void operator()(const EllipseMark& m) const {
    const double centre = horizontal ? m.x : m.y, radius = horizontal ? m.radiusX : m.radiusY;
    out.add(centre - radius);
    out.add(centre + radius);
  }
  void operator()(const ImageMark& m) const {
    out.add(horizontal ? m.x0 : m.y0);
    out.add(horizontal ? m.x1 : m.y1);
    out.tight = true;
  }
  void operator()(const TextMark& m) const { out.add(horizontal ? m.x : m.y); }
  void operator()(const GridMark& m) const {
    for (const GridCell& cell : m.cells) {
      out.add((horizontal ? cell.column : cell.row) - 0.5);
      out.add((horizontal ? cell.column : cell.row) + 0.5);
    }
    out.tight = true;
  }
};

Extent panelExtent(const FigurePanel& panel, bool horizontal) {
  Extent extent;
  const FigureAxis& axis = horizontal ? panel.x : panel.y;
  extent.map = AxisMap(axis);
  for (const FigureMark& mark : panel.marks) std::visit(ExtentOf{extent, horizontal}, mark.shape);
  return extent;
}

}  // namespace

double AxisMap::toUnit(double value) const {
  if (m_scale == AxisScale::Log) return value > 0 ? std::log10(value) : kNaN;
  if (m_scale == AxisScale::Symlog)
    return std::copysign(std::log10(1 + std::abs(value) / m_linearBelow), value);
  return value;
}

double AxisMap::fromUnit(double unit) const {
  constexpr double kMost = std::numeric_limits<double>::max();  // a margin may lie beyond it
  if (m_scale == AxisScale::Log) return std::min(std::pow(10.0, unit), kMost);
  if (m_scale == AxisScale::Symlog)
    return std::copysign(std::min((std::pow(10.0, std::abs(unit)) - 1) * m_linearBelow, kMost), unit);
  return unit;
}

double niceStep(double span, int wanted) {
  if (!(span > 0) || !std::isfinite(span)) return 0;
  const double raw = span / std::max(wanted, 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double mantissa = raw / power;
  const double nice = mantissa < 1.5 ? 1 : (mantissa < 3.5 ? 2 : (mantissa < 7.5 ? 5 : 10));
  return nice * power;
}

std::vector<AxisTick> axisTicks(const FigureAxis& axis, const AxisRange& range, int wanted) {
  const AxisMap map(axis);
  if (axis.scale == AxisScale::None) return {};
  if (axis.scale == AxisScale::Category || axis.scale == AxisScale::Token) return wordTicks(axis, range);
  if (!axis.ticks.empty()) {
    std::vector<AxisTick> ticks;
    const double step =
        axis.ticks.size() > 1 ? std::abs(axis.ticks[1] - axis.ticks[0]) : std::abs(axis.ticks[0]);
    const double largest = std::max(std::abs(axis.ticks.front()), std::abs(axis.ticks.back()));
    for (const double value : axis.ticks)
      if (inside(range, map.toUnit(value)))
        ticks.push_back({map.toUnit(value), tickText(value, step, largest), false});
    return ticks;
  }
  if (axis.datesFrom && axis.scale == AxisScale::Linear) return dateTicks(*axis.datesFrom, range, wanted);
  if (axis.scale == AxisScale::Log) return logTicks(map, range, wanted, axis.whole);
  if (axis.scale == AxisScale::Symlog) return symlogTicks(axis, range, wanted);
  return linearTicks(map, range, wanted, axis.whole);
}

QString tickText(double value, double step, double largest) {
  if (value == 0 || !(step > 0)) return value == 0 ? QStringLiteral("0") : valueText(value);
  const double size = std::max(std::abs(value), step);
  if (size < 1e-4 || size >= 1e10) {
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    const QString mantissa = QString::number(value / std::pow(10.0, exponent), 'g', 4);
    if (mantissa == QLatin1String("1")) return powerOfTen(exponent);
    return withMinus(mantissa) + QStringLiteral("·") + powerOfTen(exponent);
  }
  const auto scaled = [step](double number, double unit) {
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-6)), 0, 12);
    return withMinus(QString::number(number / unit, 'f', decimals));
  };
  if (largest >= 2e6 && step >= 1e5) return scaled(value, 1e6) + QStringLiteral("M");
  if (largest >= 5e3 && step >= 500) return scaled(value, 1e3) + QStringLiteral("k");
  return scaled(value, 1);
}

QString valueText(double value) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  return withMinus(QString::number(value, 'g', 6));
}

QString numberInFull(double value) {
  return QLocale().toString(value, 'g', QLocale::FloatingPointShortest);
}

QString shortValueText(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value) || size >= 1e6) return valueText(value);
  return withMinus(size >= 1000 ? QString::number(value, 'f', 0) : QString::number(value, 'g', 4));
}

namespace {

// Near the largest double the margin or the length of a range is none any more.
AxisRange finiteRange(double low, double high) {
  constexpr double kMost = std::numeric_limits<double>::max();
  low = std::max(low, -kMost);
  high = std::min(high, kMost);
  return std::isfinite(high - low) ? AxisRange{low, high}
                                   : AxisRange{std::max(low, -kMost / 2.5), std::min(high, kMost / 2.5)};
}

}  // namespace

AxisRange panelRange(const FigurePanel& panel, bool horizontal) {
  const FigureAxis& axis = horizontal ? panel.x : panel.y;
  const AxisMap map(axis);
  const bool words = axis.scale == AxisScale::Category || axis.scale == AxisScale::Token;
  Extent extent = panelExtent(panel, horizontal);
  if (words && !axis.categories.empty()) {
    extent.low = -0.5;
    extent.high = static_cast<double>(axis.categories.size()) - 0.5;
    extent.tight = true;
  }
  if (!(extent.low <= extent.high)) {
    extent.low = axis.scale == AxisScale::Log ? -1 : 0;
    extent.high = extent.low + 1;
    extent.tight = true;
  }
  double size = extent.high - extent.low;
  if (size == 0) {  // one point, a constant curve
    size = axis.scale == AxisScale::Linear && extent.low != 0 ? std::abs(extent.low) * 0.2 : 1;
    extent.low -= size / 2;
    extent.high += size / 2;
  } else if (!extent.tight) {
    extent.low -= 0.04 * size;
    extent.high += 0.04 * size;
  }
  AxisRange range = finiteRange(extent.low, extent.high);
  if (axis.minimum && std::isfinite(map.toUnit(*axis.minimum))) range.low = map.toUnit(*axis.minimum);
  if (axis.maximum && std::isfinite(map.toUnit(*axis.maximum))) range.high = map.toUnit(*axis.maximum);
  if (!(range.low < range.high)) {  // one given limit beyond the data
    if (axis.minimum)
      range.high = range.low + 1;
    else
      range.low = range.high - 1;
  }
  return range;
}

std::size_t hiddenByLog(const FigurePanel& panel, bool horizontal) {
  return (horizontal ? panel.x : panel.y).scale == AxisScale::Log ? panelExtent(panel, horizontal).hidden : 0;
}

}  // namespace fathom
