// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_figure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/numbers/not_a_number.h"
#include "views/figure/figure_text.h"
#include "views/figure/legend_layout.h"
#include "views/figures/figure_parts.h"
#include "views/figures/training_curve_figure.h"
#include "views/selection/selection.h"

namespace fathom {

namespace {

constexpr double kPanelRawOpacity = 0.25, kMargin = 0.05;
constexpr int kMainRows = 2;  // the first metric is twice as high as the small ones

FigureAxis axisOf(AxisScale scale) {
  FigureAxis axis;
  axis.scale = scale;
  return axis;
}

MarkStyle styleOf(const CurveLine& line, const QString& current) {
  MarkStyle style = seriesStyle(static_cast<std::size_t>(line.colour));
  if (!current.isEmpty() && line.members.contains(current)) style.width = 2;
  return style;
}

std::string labelOf(const CurveLine& line) {
  QString label = escapeMarkup(line.name);
  if (line.runs > 1) label += QStringLiteral(" (<i>n</i> = %1)").arg(line.runs);
  if (line.runs > 1 && line.failed > 0) label += QStringLiteral(", ✕ %1/%2").arg(line.failed).arg(line.runs);
  return label.toStdString();
}

// Largest and smallest finite value of y that the axis can show, over what was sampled.
struct Span {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(const AxisMap& map, const std::vector<double>& values) {
    for (const double value : values) {
      const double unit = std::isfinite(value) ? map.toUnit(value) : kNaN;
      if (!std::isfinite(unit)) continue;
      low = std::min(low, unit);
      high = std::max(high, unit);
    }
  }
  AxisRange range(const AxisMap& map) const {
    if (!(low <= high)) return map.scale() == AxisScale::Log ? AxisRange{-1, 0} : AxisRange{0, 1};
    const double size = high > low ? high - low : low != 0 ? std::abs(low) * 0.2 : 1;
    return {low - kMargin * size, high + kMargin * size};
  }
};

class PanelBuilder {
 public:
  PanelBuilder(FigurePanel& panel, const CurveLook& look, const AxisRange& range, double divisor)
      : m_panel(panel),
        m_look(look),
        m_mapX(axisOf(look.scaleX)),
        m_mapY(axisOf(look.scaleY)),
        m_range(range),
        m_divisor(divisor) {}

  void addBackground(const CurveLine& line) {
    if (line.smooth.size() > 0) {
      FigureMark mark = markOf(line);
      mark.style.opacity = kPanelRawOpacity;
      mark.style.dash = LineDash::Solid;
      mark.style.width = 0.75;
      addSample(mark, sample(line, line.raw));
    }
    if (line.lower.size() == 0) return;
    CurveSample low = sample(line, line.lower), high = sample(line, line.upper);
    if (low.x != high.x) return;  // gaps differ: no band rather than a wrong one
    m_span.add(m_mapY, low.y);
    m_span.add(m_mapY, high.y);
    FigureMark mark = markOf(line);
    mark.style.fill = kBandFill;
    mark.shape = BandMark{std::move(low.x), std::move(low.y), std::move(high.y)};
    m_panel.marks.push_back(std::move(mark));
  }

  // Below the lines: what was thrown away hides nothing. True where there is any.
  bool addDropped(const CurveLine& line, bool labelled) {
    for (std::size_t i = 0; i < line.dropped.size(); ++i) {
      const CurveLineTail& tail = line.dropped[i];
      FigureMark mark = markOf(line);
      mark.style.opacity = kDroppedOpacity;
      mark.style.width = 1;
      if (labelled && i == 0) mark.label = droppedTailLabel();
      addSample(mark,
                sampleCurve(tail.x(m_look.axis), tail.values, m_mapX, m_range, m_look.columns, m_divisor));
    }
    return !line.dropped.empty();
  }

  void addLine(const CurveLine& line, bool labelled) {
    FigureMark mark = markOf(line);
    if (labelled) mark.label = labelOf(line);
    const CurveSample shown = sample(line, line.shown());
    m_bad += static_cast<int>(shown.bad.size());
    markBad(line, shown);
    addSample(mark, shown);
  }

  // Once more, over the others; the entry of the legend stays where it was.
  void raise(const CurveLine& line) {
    FigureMark mark = markOf(line);
    addSample(mark, sample(line, line.shown()));
  }

  void addOutcome(const CurveLine& line) {
    if (line.outcome != RunState::Diverged || line.raw.size() == 0) return;
    const auto values = line.shown().values();
    for (std::size_t i = values.size(); i-- > 0;) {
      if (!std::isfinite(values[i]) || std::isnan(line.x(m_look.axis)[i])) continue;
      FigureMark mark = markOf(line);
      mark.style.marker = MarkerShape::Diamond;
      mark.style.markerSize = 6;
      mark.shape = PointsMark{{line.x(m_look.axis)[i] / m_divisor}, {values[i]}};
      m_panel.marks.push_back(std::move(mark));
      return;
    }
  }

  AxisRange rangeY() const { return m_span.range(m_mapY); }
  int bad() const { return m_bad; }

 private:
  FigureMark markOf(const CurveLine& line) const {
    FigureMark mark;
    mark.style = styleOf(line, m_look.current);
    Selection runs;
    runs.set(Dimension::Run, line.members);
    mark.selection = runs.text().toStdString();
    return mark;
  }
  CurveSample sample(const CurveLine& line, const CurvePyramid& values) const {
    return sampleCurve(line.x(m_look.axis), values, m_mapX, m_range, m_look.columns, m_divisor);
  }
  void addSample(FigureMark& mark, const CurveSample& sample) {
    m_span.add(m_mapY, sample.y);
    mark.shape = LineMark{sample.x, sample.y};
    m_panel.marks.push_back(mark);
  }
  // A cross where values stop being finite, at the height of the last good one.
  void markBad(const CurveLine& line, const CurveSample& sample) {
    if (sample.bad.empty()) return;
    FigureMark mark = markOf(line);
    mark.style.marker = MarkerShape::Cross;
    mark.style.markerSize = 6;
    PointsMark points;
    for (const double x : sample.bad) {
      const auto after = std::upper_bound(sample.x.begin(), sample.x.end(), x);
      double last = kNaN;
      for (auto i = after - sample.x.begin(); i-- > 0 && std::isnan(last);)
        last = sample.y[static_cast<std::size_t>(i)];
      if (!std::isfinite(last) || points.x.size() > 200) continue;
      points.x.push_back(x);
      points.y.push_back(last);
    }
    mark.shape = std::move(points);
    m_panel.marks.push_back(std::move(mark));
  }

  FigurePanel& m_panel;
  const CurveLook& m_look;
  AxisMap m_mapX, m_mapY;
  AxisRange m_range;
  double m_divisor;
  Span m_span;
  int m_bad = 0;
};

// A legend that cannot name all names the current run too; the others are told by hovering and by the run
// table.
std::vector<const CurveLine*> namedFirst(std::vector<const CurveLine*> lines, const QString& current) {
  if (lines.size() <= kMostLegendLines) return lines;
  const auto last = lines.begin() + (kMostLegendLines - 2);  // the last that has a name
  const auto wanted = std::find_if(
      last, lines.end(), [&current](const CurveLine* line) { return line->members.contains(current); });
  if (wanted != lines.end()) std::rotate(last, wanted, wanted + 1);
  return lines;
}

bool anyBand(const std::vector<const CurveLine*>& lines) {
  return std::any_of(lines.begin(), lines.end(),
                     [](const CurveLine* line) { return line->runs > 1 && line->lower.size() > 0; });
}

// Small panels in a row: as many in each as there is room for, the rows equally long.
int smallColumns(int small, int across) {
  const int rows = smallRows(small, across);
  return rows == 0 ? 1 : (small + rows - 1) / rows;
}

// The first metric across the page, the others in rows below it.
void placePanel(FigurePanel& panel, int index, int count, int across) {
  const int columns = smallColumns(count - 1, across);
  if (index == 0) {
    panel.rowSpan = count > 1 ? kMainRows : 1;
    panel.columnSpan = columns;
    return;
  }
  panel.row = kMainRows + (index - 1) / columns;
  panel.column = (index - 1) % columns;
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

int smallRows(int small, int across) {
  return (small + across - 1) / std::max(1, across);
}

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

CurveExtent curveExtent(CurveSet& set, const CurveLook& look) {
  CurveExtent extent;
  double low = std::numeric_limits<double>::infinity(), high = -low, smallestPositive = low;
  for (const QString& metric : look.metrics) {
    for (const CurveLine* line : set.lines(metric)) {
      const std::vector<double>& x = line->x(look.axis);
      for (const CurveLineTail& tail : line->dropped) {
        low = std::min(low, tail.x(look.axis).front());
        high = std::max(high, tail.x(look.axis).back());
      }
      if (x.empty()) continue;
      low = std::min(low, x.front());
      high = std::max(high, x.back());
      const auto positive = std::upper_bound(x.begin(), x.end(), 0.0);
      if (positive != x.end()) smallestPositive = std::min(smallestPositive, *positive);
    }
  }
  if (!(low <= high)) low = 0, high = 1;
  const AxisUnit unit = axisUnit(look.axis, high);
  extent.divisor = unit.divisor;
  extent.label = unit.label;
  if (look.scaleX == AxisScale::Log) low = std::isfinite(smallestPositive) ? smallestPositive : 1;
  const AxisMap map(axisOf(look.scaleX));
  extent.x = {map.toUnit(low / unit.divisor), map.toUnit(high / unit.divisor)};
  if (!(extent.x.low < extent.x.high)) extent.x = {extent.x.low - 0.5, extent.x.low + 0.5};
  return extent;
}

CurveFigure curveFigure(CurveSet& set, const CurveLook& look) {
  CurveFigure figure;
  figure.spec.id = "training_curve";
  const CurveExtent extent = curveExtent(set, look);
  const AxisRange rangeX = look.rangeX.value_or(extent.x);
  const int count = static_cast<int>(look.metrics.size());
  if (count > 1 && look.mainShare > 0)
    figure.spec.bands = {{kMainRows, look.mainShare},
                         {smallRows(count - 1, look.across), 1 - look.mainShare}};
  for (int i = 0; i < count; ++i) {
    const QString& metric = look.metrics[i];
    FigurePanel panel;
    placePanel(panel, i, count, look.across);
    panel.x.scale = look.scaleX;
    panel.y.scale = look.scaleY;
    if (i == 0) panel.x.label = extent.label;
    // Always in the same place: a legend that changes its corner while one pans is a nuisance.
    panel.legend = i == 0 ? LegendPlace::Below : LegendPlace::None;
    // The small panels have little room; the unit is that of the large one's label.
    const Metric about = set.catalogue().of(metric.toStdString());
    if (i == 0) panel.y.label = metricLabel(about);
    if (i > 0) panel.title = Phrase::known(markupOf(about.shortTitle));
    CurveLook here = look;
    if (i > 0) here.columns = std::max(60, look.columns / smallColumns(count - 1, look.across));
    PanelBuilder builder(panel, here, rangeX, extent.divisor);
    const std::vector<const CurveLine*> lines = namedFirst(set.lines(metric), look.current);
    for (const CurveLine* line : lines) builder.addBackground(*line);
    bool told = i > 0;
    for (const CurveLine* line : lines) told = builder.addDropped(*line, !told) || told;
    for (const CurveLine* line : lines) builder.addLine(*line, i == 0);
    if (i == 0 && anyBand(lines)) panel.marks.push_back(curveBandEntry(set.band()));
    for (const CurveLine* line : lines)
      if (lines.back() != line && line->members.contains(look.current)) builder.raise(*line);
    for (const CurveLine* line : lines) builder.addOutcome(*line);
    if (i == 0) figure.nonFinite = builder.bad();
    const auto chosen = look.rangesY.find(metric);
    figure.ranges.push_back({rangeX, chosen != look.rangesY.end() ? chosen->second : builder.rangeY()});
    figure.spec.panels.push_back(std::move(panel));
  }
  return figure;
}

bool nothingAboveZero(CurveSet& set, const CurveLook& look) {
  bool any = false;
  for (const CurveLine* line : set.lines(look.metrics.value(0))) {
    const CurveBlock all = line->raw.query(0, line->raw.values().size());
    if (all.finite == 0) continue;
    any = true;
    const auto& at = line->positions[static_cast<std::size_t>(look.axis)];
    const bool shownX = look.scaleX != AxisScale::Log || (!at.empty() && at.back() > 0);
    if (shownX && (look.scaleY != AxisScale::Log || all.maximum > 0)) return false;
  }
  return any;
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
  const AxisMap mapX(axisOf(look.scaleX)), mapY(axisOf(look.scaleY));
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
