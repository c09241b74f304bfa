// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_figure.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/numbers/figure_limits.h"
#include "core/base/numbers/not_a_number.h"
#include "views/figure/figure_text.h"
#include "views/figure/legend_layout.h"
#include "views/figures/figure_parts.h"
#include "views/figures/outlier_range.h"
#include "views/figures/training_curve_figure.h"
#include "views/look/engine_text.h"
#include "views/selection/selection.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

constexpr double kPanelRawOpacity = 0.25, kMargin = 0.05;
constexpr double kDimOpacity = 0.5;  // of a line that is not selected, beside one that is
constexpr int kMainRows = 2;         // the first metric is twice as high as the small ones

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

bool isSelected(const CurveLine& line, const CurveLook& look) {
  return std::any_of(line.members.cbegin(), line.members.cend(),
                     [&look](const QString& run) { return look.selected.contains(run); });
}

// Metrics of lines that share the panel of another: its place among them and its title.
using MetricsOfLines = std::map<const CurveLine*, std::pair<int, QString>>;

std::string labelOf(const CurveLine& line, const MetricsOfLines& metrics) {
  QString label = escapeMarkup(line.name);
  if (const auto metric = metrics.find(&line); metric != metrics.end())
    label += QStringLiteral(" · ") + escapeMarkup(metric->second.second);
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
  // `dims`: lines that are not selected are pale.
  PanelBuilder(FigurePanel& panel, const CurveLook& look, const AxisRange& range, double divisor, bool dims)
      : m_panel(panel),
        m_look(look),
        m_mapX(axisOf(look.scaleX)),
        m_mapY(axisOf(look.scaleY)),
        m_range(range),
        m_divisor(divisor),
        m_dims(dims) {}

  void addBackground(const CurveLine& line) {
    if (line.smooth.size() > 0 && !isDim(line)) {
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
    mark.style.fill = isDim(line) ? kDimOpacity * kBandFill : kBandFill;
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

  // A line of a metric that shares the panel of another: other dashes, and its metric in the legend.
  void tellMetric(const std::vector<const CurveLine*>& lines, int place, const QString& title) {
    for (const CurveLine* line : lines) m_metrics[line] = {place, title};
  }

  void addLine(const CurveLine& line, bool labelled) {
    FigureMark mark = markOf(line);
    if (labelled) mark.label = labelOf(line, m_metrics);
    const CurveSample shown = sample(line, line.shown());
    if (m_look.clip) {
      std::vector<double> units(shown.y.size());
      std::transform(shown.y.begin(), shown.y.end(), units.begin(),
                     [this](double value) { return m_mapY.toUnit(value); });
      m_outliers.add(std::move(units));
    }
    m_bad += static_cast<int>(shown.bad.size());
    markBad(line, shown);
    m_lines.push_back(m_panel.marks.size());
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

  // A triangle at the edge wherever a line leaves the range; the number of them.
  int markOutliers(const AxisRange& range, double& farthest) {
    if (!m_look.clip || !m_outliers.any()) return 0;
    int places = 0;
    for (const std::size_t at : m_lines) {
      const FigureMark line = m_panel.marks[at];
      PointsMark points = outlierPlaces(std::get<LineMark>(line.shape), m_mapY, range, farthest);
      if (points.x.empty()) continue;
      places += static_cast<int>(points.x.size());
      m_panel.marks.push_back(outlierMark(line, std::move(points)));
    }
    return places;
  }

  bool isDim(const CurveLine& line) const { return m_dims && !isSelected(line, m_look); }

  AxisRange rangeY() const {
    if (!m_look.clip || !m_outliers.any()) return m_span.range(m_mapY);
    const AxisRange kept = m_outliers.kept();
    Span span;
    span.low = kept.low;
    span.high = kept.high;
    return span.range(m_mapY);
  }
  int bad() const { return m_bad; }
  bool dims() const { return m_dims; }

 private:
  FigureMark markOf(const CurveLine& line) const {
    FigureMark mark;
    mark.style = styleOf(line, m_look.current);
    if (isDim(line)) mark.style.opacity = kDimOpacity;
    if (const auto metric = m_metrics.find(&line); metric != m_metrics.end())
      mark.style.dash = static_cast<LineDash>((static_cast<int>(mark.style.dash) + metric->second.first) % 4);
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
  bool m_dims;
  Span m_span;
  OutlierRange m_outliers;
  std::vector<std::size_t> m_lines;  // marks of addLine
  MetricsOfLines m_metrics;
  int m_bad = 0;
};

// A legend that cannot name all names those that are selected, and among them the current run; the others are
// told by hovering and by the run table.
std::vector<const CurveLine*> namedFirst(std::vector<const CurveLine*> lines, const CurveLook& look) {
  if (lines.size() <= kMostLegendLines) return lines;
  const QString& current = look.current;
  std::stable_partition(lines.begin(), lines.end(),
                        [&look](const CurveLine* line) { return isSelected(*line, look); });
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

}  // namespace

QString curveAxisName(CurveAxis axis) {
  for (const auto& each : kCurveAxes)
    if (each.value == axis) return QCoreApplication::translate("fathom::Phrase", each.title);
  return {};
}

int smallRows(int small, int across) {
  return (small + across - 1) / std::max(1, across);
}

int leastAcross(int small) {
  return std::max(1, smallRows(small, kMostFigureTracks - kMainRows));
}

CurveExtent curveExtent(CurveSet& set, const CurveLook& look) {
  CurveExtent extent;
  double low = std::numeric_limits<double>::infinity(), high = -low, smallestPositive = low;
  QStringList metrics;
  for (const QString& metric : look.metrics) metrics += look.panelMetrics(metric);
  for (const QString& metric : std::as_const(metrics)) {
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
  const AxisUnit unit = axisUnit(look.axis, low, high, set.catalogue().of(toUtf8(look.axisMetric)));
  extent.divisor = unit.divisor;
  extent.label = unit.label;
  if (look.scaleX == AxisScale::Log) low = std::isfinite(smallestPositive) ? smallestPositive : 1;
  const AxisMap map(axisOf(look.scaleX));
  extent.x = {map.toUnit(low / unit.divisor), map.toUnit(high / unit.divisor)};
  if (!(extent.x.low < extent.x.high)) extent.x = {extent.x.low - 0.5, extent.x.low + 0.5};
  return extent;
}

namespace {

// The lines of all metrics that the panel of one shows.
std::vector<const CurveLine*> panelLines(CurveSet& set, const CurveLook& look, const QString& metric) {
  std::vector<const CurveLine*> lines;
  for (const QString& each : look.panelMetrics(metric))
    for (const CurveLine* line : set.lines(each)) lines.push_back(line);
  return namedFirst(std::move(lines), look);
}

// The small panels have little room; the unit is that of the large one's label.
void nameAxes(FigurePanel& panel, const CurveSet& set, const QStringList& metrics, bool large) {
  for (const QString& metric : metrics) {
    const Metric about = set.catalogue().of(toUtf8(metric));
    Phrase& name = large ? panel.y.label : panel.title;
    const Phrase more = large ? metricLabel(about) : Phrase::known(markupOf(about.shortTitle));
    if (name.empty()) {
      name = more;
    } else {
      name.append(more, ", ");
    }
  }
}

void addLines(PanelBuilder& builder, FigurePanel& panel, const CurveSet& set,
              const std::vector<const CurveLine*>& lines, const CurveLook& look, bool large) {
  for (const CurveLine* line : lines) builder.addBackground(*line);
  bool told = !large;
  for (const CurveLine* line : lines) told = builder.addDropped(*line, !told) || told;
  for (const CurveLine* line : lines) builder.addLine(*line, large);
  if (large && anyBand(lines)) panel.marks.push_back(curveBandEntry(set.band()));
  const auto isCurrent = [&look](const CurveLine* line) { return line->members.contains(look.current); };
  for (const CurveLine* line : lines)
    if (builder.dims() && !builder.isDim(*line) && !isCurrent(line)) builder.raise(*line);
  for (const CurveLine* line : lines)
    if (lines.back() != line && isCurrent(line)) builder.raise(*line);
  for (const CurveLine* line : lines) builder.addOutcome(*line);
}

// True where some lines are selected, and others are not.
bool selectionTells(const std::vector<const CurveLine*>& lines, const CurveLook& look) {
  const auto selected = std::count_if(lines.begin(), lines.end(),
                                      [&look](const CurveLine* line) { return isSelected(*line, look); });
  return selected > 0 && selected < std::ssize(lines);
}

}  // namespace

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
    const QStringList shown = look.panelMetrics(metric);
    FigurePanel panel;
    placePanel(panel, i, count, look.across);
    panel.x.scale = look.scaleX;
    if (look.axis == CurveAxis::Clock) panel.x.datesFrom = 0;
    panel.y.scale = look.scaleY;
    if (i == 0) panel.x.label = extent.label;
    // Always in the same place: a legend that changes its corner while one pans is a nuisance.
    panel.legend = i == 0 ? LegendPlace::Below : LegendPlace::None;
    nameAxes(panel, set, shown, i == 0);
    CurveLook here = look;
    if (i > 0) here.columns = std::max(60, look.columns / smallColumns(count - 1, look.across));
    const std::vector<const CurveLine*> lines = panelLines(set, look, metric);
    PanelBuilder builder(panel, here, rangeX, extent.divisor, selectionTells(lines, look));
    for (int each = 0; shown.size() > 1 && each < shown.size(); ++each)
      builder.tellMetric(set.lines(shown[each]), each, metricTitle(set.catalogue().of(toUtf8(shown[each]))));
    addLines(builder, panel, set, lines, look, i == 0);
    if (i == 0) figure.nonFinite = builder.bad();
    const auto chosen = look.rangesY.find(metric);
    const AxisRange rangeY = chosen != look.rangesY.end() ? chosen->second : builder.rangeY();
    if (chosen == look.rangesY.end()) figure.clipped += builder.markOutliers(rangeY, figure.farthest);
    figure.ranges.push_back({rangeX, rangeY});
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

}  // namespace fathom
