// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of runs from one of them, update by update (docs/analyses.md §13).
#include <algorithm>
#include <cmath>

#include "core/analysis/training/difference_curve.h"
#include "core/base/options/field_builder.h"
#include "core/library/runs/metric_catalogue.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/size_fields.h"
#include "views/figures/training_curve_figure.h"

namespace fathom {

namespace {

FigureMark differenceMark(const DifferenceCurve& curve, std::size_t index) {
  FigureMark mark;
  if (curve.runs.size() == 1) mark.selection = "run:" + curve.runs.front();
  mark.style = seriesStyle(curve.look >= 0 ? static_cast<std::size_t>(curve.look) : index);
  return mark;
}

Phrase differenceLabel(const DifferenceCurve& curve) {
  if (curve.runs.size() < 2) return markupOf(curve.name);
  return markupOf(curve.name) + " (<i>n</i> = " + std::to_string(curve.runs.size()) + ")";
}

// No difference: the base itself.
FigureMark zeroRule() {
  FigureMark mark;
  mark.style.colour = "secondary";
  mark.style.dash = LineDash::Dash;
  mark.shape = RuleMark{0, false};
  return mark;
}

Phrase differenceSummary(const DifferenceCurveResult& result, const Phrase& metric) {
  Phrase text = Phrase::tr("Differences of %1 from %2.")(metric, result.base);
  for (const DifferenceCurve& curve : result.curves)
    text.append(Phrase::tr("%1: ends at %2.")(curve.name, shortValueText(curve.value.back()).toStdString()));
  return text;
}

// Which side of 0 is the better one, for those who do not know the metric.
void addDirection(FigureSpec& spec, const DifferenceCurveResult& result) {
  if (result.metric.direction == MetricDirection::None) return;
  spec.notes.push_back(result.metric.direction == MetricDirection::Higher
                           ? Phrase::tr("above 0: better than %1")(result.base)
                           : Phrase::tr("below 0: better than %1")(result.base));
}

FigureSpec differenceFigure(DifferenceCurveResult result, const std::string& asked) {
  if (result.metric.id.empty()) result.metric = MetricCatalogue().of(asked);
  const Phrase metric = metricLabel(result.metric);
  FigureSpec spec;
  FigurePanel panel;
  panel.x.label = Phrase::tr("updates");
  panel.x.whole = true;
  panel.y.label = Phrase::tr("difference of %1")(metric);
  panel.marks.push_back(zeroRule());
  bool banded = false;
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    const DifferenceCurve& curve = result.curves[i];
    if (curve.lower.empty()) continue;
    FigureMark band = differenceMark(curve, i);
    band.style.fill = kBandFill;
    band.shape = BandMark{curve.x, curve.lower, curve.upper};
    panel.marks.push_back(std::move(band));
    banded = true;
  }
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    const DifferenceCurve& curve = result.curves[i];
    FigureMark line = differenceMark(curve, i);
    line.label = differenceLabel(curve);
    if (curve.x.size() == 1) line.style.marker = MarkerShape::Disc;
    line.shape = LineMark{curve.x, curve.value};
    panel.marks.push_back(std::move(line));
  }
  if (banded) panel.marks.push_back(bandEntry(Phrase::tr("band: difference ± its standard error")));
  spec.title = Phrase::tr("Differences from %1: %2")(markupOf(result.base), metric);
  spec.summary = differenceSummary(result, metric);
  spec.notes = result.notes;
  addDirection(spec, result);
  spec.panels.push_back(std::move(panel));
  return spec;
}

Result<FigureSpec> buildDifferenceCurve(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(DifferenceCurveResult result, runDifferenceCurves(source, options));
  FigureSpec spec = differenceFigure(std::move(result), options.text("metric"));
  setSize(spec, options);
  return spec;
}

}  // namespace

FigureEntry differenceCurveFigureEntry() {
  return {.id = "difference_curve",
          .title = "Difference curves",
          .fields = joinedFields({differenceCurveFields(), sizeFields()}),
          .build = buildDifferenceCurve,
          .inTrain = true};
}

}  // namespace fathom
