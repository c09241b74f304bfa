// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/training_curve_figure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/numbers/figure_limits.h"
#include "core/base/options/field_builder.h"
#include "core/library/runs/metric_catalogue.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_renderer.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/outlier_range.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"

namespace fathom {

namespace {

constexpr double kRawOpacity = 0.25;

// Places of positions on the drawn axis.
struct AxisPlace {
  double origin = 0, divisor = 1;
  double of(double position) const { return (position - origin) / divisor; }
};

// The smallest and the largest position of all curves; 0 and 0 where there is none.
std::pair<double, double> extentOf(const TrainingCurveResult& result) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const TrainingCurve& curve : result.curves)
    for (const double x : curve.x)
      if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  return low <= high ? std::pair(low, high) : std::pair(0.0, 0.0);
}

bool anyAbove(const std::vector<double>& values, double limit) {
  return std::any_of(values.begin(), values.end(),
                     [limit](double value) { return std::isfinite(value) && value > limit; });
}

// There are values, and a logarithmic axis has a place for none of them.
bool nothingPositive(const TrainingCurve& curve, const TrainingCurveLook& look) {
  if (!anyAbove(curve.value, -std::numeric_limits<double>::infinity())) return false;
  return (look.scaleY == AxisScale::Log && !anyAbove(curve.value, 0)) ||
         (look.scaleX == AxisScale::Log && !anyAbove(curve.x, 0));
}

bool diverged(const TrainingCurve& curve) {
  return curve.runs.size() == 1 && curve.outcomes.front() == RunState::Diverged;
}

Phrase curveLabel(const TrainingCurve& curve, const TrainingCurveLook& look) {
  Phrase label = markupOf(curve.name);
  const std::size_t runs = curve.runs.size();
  if (runs > 1) label = markupOf(curve.name) + " (<i>n</i> = " + std::to_string(runs) + ")";
  if (curve.failed > 0 && runs > 1) label.append(Phrase::tr("failed %1/%2")(curve.failed, runs), ", ");
  if (runs == 1 && isFailure(curve.outcomes.front()))
    label.append(diverged(curve) ? Phrase::tr("diverged") : Phrase::tr("failed"), ", ");
  const auto finite = [](double value) { return std::isfinite(value); };
  if (std::none_of(curve.value.begin(), curve.value.end(), finite))
    label.append(Phrase::tr("no finite value"), ", ");
  if (nothingPositive(curve, look)) label.append(Phrase::tr("no value above 0"), ", ");
  return label;
}

Phrase curveBandText(CurveBand band) {
  switch (band) {
    case CurveBand::StandardError:
      return Phrase::tr("band: mean ± standard error");
    case CurveBand::Confidence95:
      return Phrase::tr("band: 95 % interval of the mean");
    case CurveBand::Range:
      return Phrase::tr("band: minimum to maximum");
    default:
      return Phrase::tr("band: mean ± standard deviation");
  }
}

// One entry of the legend for the bands of all groups.
void addBandEntry(FigurePanel& panel, const TrainingCurveResult& result) {
  const bool any = std::any_of(result.curves.begin(), result.curves.end(), [](const TrainingCurve& curve) {
    return curve.runs.size() > 1 && !curve.lower.empty();
  });
  if (any) panel.marks.push_back(curveBandEntry(result.request.band));
}

std::string selectionOf(const TrainingCurve& curve) {
  return curve.runs.size() == 1 ? "run:" + curve.runs.front() : std::string();
}

MarkStyle styleOf(const TrainingCurve& curve, std::size_t index) {
  return seriesStyle(curve.look >= 0 ? static_cast<std::size_t>(curve.look) : index);
}

FigureMark markOf(const TrainingCurve& curve, std::size_t index) {
  FigureMark mark;
  mark.selection = selectionOf(curve);
  mark.style = styleOf(curve, index);
  return mark;
}

// Raw values and bands lie below all lines.
void addBackground(FigurePanel& panel, const TrainingCurve& curve, std::size_t index,
                   const std::vector<double>& x) {
  if (!curve.raw.empty()) {
    FigureMark raw = markOf(curve, index);
    raw.style.opacity = kRawOpacity;
    raw.style.dash = LineDash::Solid;
    raw.shape = LineMark{x, curve.raw};
    panel.marks.push_back(std::move(raw));
  }
  if (!curve.lower.empty()) {
    FigureMark band = markOf(curve, index);
    band.style.fill = kBandFill;
    band.shape = BandMark{x, curve.lower, curve.upper};
    panel.marks.push_back(std::move(band));
  }
}

void addLine(FigurePanel& panel, const TrainingCurve& curve, std::size_t index, const std::vector<double>& x,
             const TrainingCurveLook& look) {
  FigureMark mark = markOf(curve, index);
  mark.label = curveLabel(curve, look);
  mark.shape = LineMark{x, curve.value};
  panel.marks.push_back(std::move(mark));
}

// Adds the points that a resumed run threw away; one entry of the legend says so for all.
void addDropped(FigurePanel& panel, const TrainingCurve& curve, std::size_t index, const AxisPlace& place,
                bool labelled) {
  for (std::size_t i = 0; i < curve.dropped.size(); ++i) {
    FigureMark mark = markOf(curve, index);
    mark.style.opacity = kDroppedOpacity;
    if (labelled && i == 0) mark.label = droppedTailLabel();
    LineMark line{curve.dropped[i].x, curve.dropped[i].value};
    for (double& x : line.x) x = place.of(x);
    mark.shape = std::move(line);
    panel.marks.push_back(std::move(mark));
  }
}

// A cross at the last finite point of a single run that diverged.
void addDivergence(FigurePanel& panel, const TrainingCurve& curve, std::size_t index,
                   const AxisPlace& place) {
  if (!diverged(curve)) return;
  for (std::size_t i = curve.value.size(); i-- > 0;) {
    if (!std::isfinite(curve.value[i])) continue;
    FigureMark mark;
    mark.selection = selectionOf(curve);
    mark.style = styleOf(curve, index);
    mark.style.marker = MarkerShape::Diamond;
    mark.shape = PointsMark{{place.of(curve.x[i])}, {curve.value[i]}};
    panel.marks.push_back(std::move(mark));
    return;
  }
}

Phrase summaryOf(const TrainingCurveResult& result, const Phrase& metric, const TrainingCurveLook& look) {
  Phrase text = result.curves.size() == 1 ? Phrase::tr("%1 of 1 curve.")(metric)
                                          : Phrase::tr("%1 of %2 curves.")(metric, result.curves.size());
  for (const TrainingCurve& curve : result.curves) {
    std::size_t last = curve.value.size();
    while (last > 0 && !std::isfinite(curve.value[last - 1])) --last;
    if (last == 0) {
      text.append(Phrase::tr("%1: no finite value.")(curve.name));
      continue;
    }
    if (nothingPositive(curve, look)) {
      text.append(Phrase::tr("%1: no value above 0, which a logarithmic axis needs.")(curve.name));
      continue;
    }
    text.append((diverged(curve) ? Phrase::tr("%1: ends at %2, diverged.") : Phrase::tr("%1: ends at %2."))(
        curve.name, shortValueText(curve.value[last - 1]).toStdString()));
  }
  return text;
}

std::vector<OptionField> figureFields() {
  std::vector<OptionField> fields = trainingCurveFields();
  for (const auto& [key, title] :
       {std::pair{"x_scale", "Horizontal scale"}, std::pair{"y_scale", "Vertical scale"}})
    fields.push_back(choiceField(
        key, title, "How values are spread along the axis; symlog also shows values at and below 0.",
        {{"linear", "linear"}, {"log", "logarithmic"}, {"symlog", "symmetric logarithmic"}}));
  for (const auto& [key, title] :
       {std::pair{"y_min", "Lowest value shown"}, std::pair{"y_max", "Highest value shown"}}) {
    fields.push_back(typedField(key, title, "A number; empty: from the data."));
  }
  fields.push_back(flagField("clip_outliers", "Clip outliers",
                             "Values far from all others do not stretch the axis; a triangle says where a "
                             "curve leaves it."));
  fields.push_back(
      integerField("columns", "Columns",
                   "Of several metrics, so many stand beside each other; 0: what the style has room for.", 0)
          .between(0, kMostFigureTracks)
          .off(0));
  addFields(fields, sizeFields("0: the style's width, and a height that leaves plots and labels whole."));
  return fields;
}

AxisScale scaleOf(const std::string& word) {
  if (word == "log") return AxisScale::Log;
  return word == "symlog" ? AxisScale::Symlog : AxisScale::Linear;
}

Result<std::optional<double>> limitOf(const OptionValues& options, const char* key) {
  const QString text = QString::fromStdString(options.text(key)).trimmed();
  if (text.isEmpty()) return std::optional<double>();
  bool ok = false;
  const double value = text.toDouble(&ok);
  if (!ok || !std::isfinite(value))
    return usageError(Phrase::tr("%1: \"%2\" is not a number")(key, text.toStdString()));
  return std::optional<double>(value);
}

// The one point that can be drawn; none where there are more, or nothing.
std::optional<std::size_t> onlyPoint(const LineMark& line) {
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    if (!std::isfinite(line.x[i]) || !std::isfinite(line.y[i])) continue;
    if (only) return std::nullopt;
    only = i;
  }
  return only;
}

// A metric that was measured once (a score at the end): dots with their numbers on an axis from 0 to there,
// since an axis around one point would only invent a range.
void labelOnlyPoints(FigurePanel& panel) {
  constexpr double kApart = 0.15, kBehind = 1.1;  // of the range of values; of the last position
  std::vector<std::pair<double, double>> points;
  for (const FigureMark& mark : panel.marks) {
    const auto* line = std::get_if<LineMark>(&mark.shape);
    if (line == nullptr || mark.label.empty() || line->x.empty()) continue;
    const auto at = onlyPoint(*line);
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!at && std::any_of(line->y.begin(), line->y.end(), finite)) return;
    if (at) points.emplace_back(line->x[*at], line->y[*at]);
  }
  if (points.empty()) return;
  double last = 0, low = points[0].second, high = low;
  for (const auto& [x, y] : points) {
    last = std::max(last, x);
    low = std::min(low, y);
    high = std::max(high, y);
  }
  if (panel.x.scale == AxisScale::Linear && !panel.x.datesFrom && last > 0) {
    panel.x.minimum = 0;
    panel.x.maximum = kBehind * last;
    panel.x.ticks = {0, last};
  }
  const bool chosen = panel.y.minimum || panel.y.maximum;
  if (panel.y.scale == AxisScale::Linear && high > low && !chosen) {  // the numbers stay inside of the frame
    panel.y.minimum = low - kApart * (high - low);
    panel.y.maximum = high + kApart * (high - low);
  }
  std::vector<double> named;
  for (const auto& [x, y] : points) {
    const auto near = [&, y = y](double other) { return std::abs(other - y) < kApart * (high - low); };
    if (std::any_of(named.begin(), named.end(), near) || (high == low && !named.empty())) continue;
    named.push_back(y);
    panel.marks.push_back(textMark(x, y, shortValueText(y).toStdString(), TextAnchor::Right));
  }
}

// Ends the axis where the values that are no outliers do, and marks the places at which a curve goes on.
void clipOutliers(FigurePanel& panel, std::vector<Phrase>& notes) {
  const AxisMap map(panel.y);
  OutlierRange outliers;
  const std::vector<FigureMark> marks = panel.marks;
  const auto lineOf = [](const FigureMark& mark) {
    return mark.label.empty() ? nullptr : std::get_if<LineMark>(&mark.shape);
  };
  for (const FigureMark& mark : marks) {
    const LineMark* line = lineOf(mark);
    if (line == nullptr) continue;
    std::vector<double> units;
    for (const double value : line->y) units.push_back(map.toUnit(value));
    outliers.add(std::move(units));
  }
  if (!outliers.any()) return;
  const AxisRange kept = outliers.kept();
  const double margin = kOutlierMargin * (kept.size() > 0 ? kept.size() : 1);
  const AxisRange range{kept.low - margin, kept.high + margin};
  panel.y.minimum = map.fromUnit(range.low);
  panel.y.maximum = map.fromUnit(range.high);
  double farthest = 0;
  for (const FigureMark& mark : marks) {
    if (lineOf(mark) == nullptr) continue;
    PointsMark places = outlierPlaces(*lineOf(mark), map, range, farthest);
    if (!places.x.empty()) panel.marks.push_back(outlierMark(mark, std::move(places)));
  }
  notes.push_back(
      Phrase::tr("triangles: outliers beyond the axis, up to %1")(shortValueText(farthest).toStdString()));
}

// Another metric of the same curves beside what is there: one row, one legend, until a style gives them
// places.
void addPanel(FigureSpec& spec, FigureSpec more) {
  FigurePanel& panel = more.panels.front();
  panel.column = static_cast<int>(spec.panels.size());
  panel.legend = LegendPlace::None;
  spec.panels.front().legend = LegendPlace::Below;
  spec.panels.push_back(std::move(panel));
  spec.summary.append(more.summary);
  for (const Phrase& note : more.notes)
    if (std::find(spec.notes.begin(), spec.notes.end(), note) == spec.notes.end()) spec.notes.push_back(note);
}

Result<FigureSpec> buildTrainingCurve(AnalysisSource& source, const OptionValues& options) {
  TrainingCurveLook look;
  look.scaleX = scaleOf(options.text("x_scale"));
  look.scaleY = scaleOf(options.text("y_scale"));
  look.clipOutliers = options.flag("clip_outliers");
  FATHOM_TRY(look.minimumY, limitOf(options, "y_min"));
  FATHOM_TRY(look.maximumY, limitOf(options, "y_max"));
  FATHOM_TRY(const auto results, runTrainingCurves(source, options));
  FigureSpec spec = trainingCurveFigure(results.front(), look);
  for (std::size_t i = 1; i < results.size(); ++i) addPanel(spec, trainingCurveFigure(results[i], look));
  spec.flows = spec.panels.size() > 1;
  spec.columns = static_cast<int>(options.integer("columns"));
  setSize(spec, options);
  return spec;
}

}  // namespace

Phrase metricLabel(const Metric& metric) {
  Metric shown = metric;
  shown.title = markupOf(metric.title);
  return titleWithUnit(shown);
}

Phrase droppedTailLabel() {
  return Phrase::tr("faint: thrown away at a resume");
}

FigureMark curveBandEntry(CurveBand band) {
  return bandEntry(curveBandText(band));
}

AxisUnit axisUnit(CurveAxis axis, double smallest, double largest, const Metric& metric) {
  if (axis == CurveAxis::Step) return {Phrase::tr("updates"), 1};
  if (axis == CurveAxis::Epoch) return {Phrase::tr("epochs"), 1};
  if (axis == CurveAxis::Tokens) return {Phrase::tr("tokens"), 1};
  if (axis == CurveAxis::Metric) return {metricLabel(metric), 1};
  if (axis == CurveAxis::Clock)
    return {Phrase::tr("date and time (UTC), from %1")(momentText(smallest).left(10).toStdString()), 1};
  if (largest < 180) return {Phrase::tr("time (s)"), 1};
  if (largest < 3 * 3600) return {Phrase::tr("time (min)"), 60};
  if (largest < 4 * 86400) return {Phrase::tr("time (h)"), 3600};
  return {Phrase::tr("time (days)"), 86400};
}

FigureSpec trainingCurveFigure(const TrainingCurveResult& result, const TrainingCurveLook& look) {
  FigureSpec spec;
  spec.id = "training_curve";
  const bool declared = !result.metric.id.empty();
  const Phrase metric = metricLabel(declared ? result.metric : MetricCatalogue().of(result.request.metric));
  const auto [smallest, largest] = extentOf(result);
  const bool dates = result.request.axis == CurveAxis::Clock;
  const Metric& over = result.axisMetric;
  const AxisUnit unit = axisUnit(result.request.axis, smallest, largest,
                                 over.id.empty() ? MetricCatalogue().of(result.request.axisMetric) : over);
  FigurePanel panel;
  panel.x.label = unit.label;
  panel.x.scale = dates ? AxisScale::Linear : look.scaleX;
  // Seconds from there: seconds since 1970 have more digits than every writer keeps.
  if (dates) panel.x.datesFrom = std::floor(smallest);
  const AxisPlace place{panel.x.datesFrom.value_or(0), unit.divisor};
  panel.x.whole = result.request.axis == CurveAxis::Step;
  panel.y.label = metric;
  panel.y.scale = look.scaleY;
  panel.y.minimum = look.minimumY;
  panel.y.maximum = look.maximumY;
  std::vector<std::vector<double>> positions;
  for (const TrainingCurve& curve : result.curves) {
    positions.push_back(curve.x);
    for (double& value : positions.back()) value = place.of(value);
  }
  for (std::size_t i = 0; i < positions.size(); ++i) addBackground(panel, result.curves[i], i, positions[i]);
  bool named = false;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    addDropped(panel, result.curves[i], i, place, !named);
    named = named || !result.curves[i].dropped.empty();
  }
  for (std::size_t i = 0; i < positions.size(); ++i) addLine(panel, result.curves[i], i, positions[i], look);
  addBandEntry(panel, result);
  for (std::size_t i = 0; i < positions.size(); ++i) addDivergence(panel, result.curves[i], i, place);
  labelOnlyPoints(panel);
  spec.title = Phrase::tr("Training curve: %1")(metric);
  spec.summary = summaryOf(result, metric, look);
  spec.notes = result.notes;
  if (look.clipOutliers && !look.minimumY && !look.maximumY) clipOutliers(panel, spec.notes);
  spec.panels.push_back(std::move(panel));
  const bool empty = !result.curves.empty() && std::all_of(result.curves.begin(), result.curves.end(),
                                                           [&look](const TrainingCurve& curve) {
                                                             return nothingPositive(curve, look);
                                                           });
  if (empty)
    spec.notes.push_back(
        Phrase::tr("%1: no value is above 0; nothing can be shown on a logarithmic axis")(metric));
  const std::vector<Phrase> warnings = figureWarnings(spec);
  spec.notes.insert(spec.notes.end(), warnings.begin(), warnings.end());
  return spec;
}

FigureEntry trainingCurveFigureEntry() {
  return {.id = "training_curve",
          .title = "Training curve",
          .reference = "Admin, Figures 1 and 9",
          .fields = figureFields(),
          .build = buildTrainingCurve,
          .inTrain = true};
}

}  // namespace fathom
