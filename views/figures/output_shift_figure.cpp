// SPDX-License-Identifier: GPL-3.0-or-later
// Output shift against the number of layers with both laws (Admin Fig 4; docs/analyses.md §4).
#include <QString>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/dependency/shift_sweep.h"
#include "core/analysis/training/stack_phrase.h"
#include "core/base/options/field_builder.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/probe_fields.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"

namespace fathom {

namespace {

constexpr int kCurvePoints = 24;
constexpr double kShiftRowMm = 60;

struct Curve {
  std::string run, name;  // UUID of the run; what the legend says
  ShiftSweep sweep;       // without its series
  ShiftSeries series;
  ShiftSummary summary;
  int colour = 0;  // of the run
};

ShiftReading readingOf(const OptionValues& options) {
  ShiftReading reading;
  const std::string place = options.text("place"), measure = options.text("measure"),
                    tokens = options.text("tokens");
  reading.place = place == "stream" ? ShiftPlace::Stream : ShiftPlace::AfterTopNorm;
  reading.measure = measure == "normalised" ? ShiftMeasure::Normalised
                    : measure == "theorem2" ? ShiftMeasure::Theorem2
                                            : ShiftMeasure::Raw;
  reading.tokens = tokens == "all"              ? ShiftTokens::All
                   : tokens == "per_real_token" ? ShiftTokens::PerRealToken
                                                : ShiftTokens::Real;
  return reading;
}

Result<std::vector<Curve>> curvesOf(AnalysisSource& source, const OptionValues& options) {
  std::vector<Curve> curves;
  const std::vector<std::string> runs = source.runs();
  for (const std::string& run : runs) {
    FATHOM_TRY(const ProbedResult probed,
               probedAs(source, run, "output_shift", options.text("checkpoint"), options));
    FATHOM_TRY(ShiftSweep sweep, shiftSweepFromJson(probed.result));
    std::vector<ShiftSeries> all = std::move(sweep.series);
    sweep.series.clear();
    for (ShiftSeries& series : all) {
      const std::string name = runs.size() > 1 ? probed.name + ", " + series.name : series.name;
      ShiftSummary summary = summariseShift(sweep, series, readingOf(options));
      curves.push_back({run, name, sweep, std::move(series), std::move(summary), source.colourOf(run)});
    }
  }
  if (curves.empty()) return noRunChosen();
  return curves;
}

Phrase changeText(const Curve& curve) {
  const bool adam = curve.series.change == "adam";
  const double size = adam ? curve.sweep.adamRate : curve.sweep.delta;
  return (adam ? Phrase::tr("one Adam step of %1")
               : Phrase::tr("random ±%1"))(QString::number(size, 'g', 3).toStdString());
}

Phrase r2Text(const ShiftFit& fit) {
  if (!fit.r2) return Phrase::tr("no <i>R</i><sup>2</sup>");
  return "<i>R</i><sup>2</sup> = " + QString::number(*fit.r2, 'f', 3).toStdString();
}

// Two draws have a spread.
bool shiftHasBand(const OptionValues& options, const Curve& curve) {
  return options.text("band") != "none" && curve.series.draws.size() > 1;
}

Phrase shiftBandText(const OptionValues& options) {
  return options.text("band") == "range" ? Phrase::tr("band: minimum to maximum")
                                         : Phrase::tr("band: mean ± standard deviation");
}

// Draws marks for one look: a logarithmic axis cannot show what is not positive.
class CurveMarks {
 public:
  CurveMarks(const OptionValues& options, const Curve& curve, std::size_t index)
      : m_options(options),
        m_curve(curve),
        m_logarithmic(options.text("y_scale") == "log"),
        m_style(seriesStyle(index)) {}

  void addTo(FigurePanel& panel, bool alone) const {
    addBand(panel);
    const std::string words = m_options.text("fits");
    if (words == "both" || words == "linear") addFit(panel, m_curve.summary.linear, false, alone);
    if (words == "both" || words == "logarithmic") addFit(panel, m_curve.summary.logarithmic, true, alone);
    FigureMark mark = marked();
    if (!alone) mark.label = label();
    mark.style.marker = MarkerShape::Disc;
    mark.style.dash = m_style.dash;
    mark.shape = LineMark{m_curve.sweep.depths, shown(m_curve.summary.mean)};
    panel.marks.push_back(std::move(mark));
  }

 private:
  FigureMark marked() const {
    FigureMark mark;
    mark.selection = "run:" + m_curve.run;
    mark.style.colour = m_style.colour;
    return mark;
  }
  Phrase label() const {
    return Phrase::tr("%1: %2 (<i>N</i>), %3 (ln <i>N</i>)")(
        markupOf(m_curve.name), r2Text(m_curve.summary.linear), r2Text(m_curve.summary.logarithmic));
  }
  std::vector<double> shown(std::vector<double> values) const {
    for (double& value : values)
      if (m_logarithmic && !(value > 0)) value = std::numeric_limits<double>::quiet_NaN();
    return values;
  }
  void addBand(FigurePanel& panel) const {
    if (!shiftHasBand(m_options, m_curve)) return;
    const std::string band = m_options.text("band");
    const ShiftSummary& summary = m_curve.summary;
    std::vector<double> lower = summary.lowest, upper = summary.highest;
    for (std::size_t i = 0; band == "deviation" && i < lower.size(); ++i) {
      lower[i] = summary.mean[i] - summary.deviation[i];
      upper[i] = summary.mean[i] + summary.deviation[i];
    }
    FigureMark mark = marked();
    mark.style.fill = kBandFill;
    mark.shape = BandMark{m_curve.sweep.depths, shown(lower), shown(upper)};
    panel.marks.push_back(std::move(mark));
  }
  void addFit(FigurePanel& panel, const ShiftFit& fit, bool logarithmic, bool alone) const {
    if (!std::isfinite(fit.slope)) return;
    LineMark line;
    const double first = m_curve.sweep.depths.front(), last = m_curve.sweep.depths.back();
    // A law that is straight on its axes needs its ends only.
    const bool straight = !m_logarithmic && logarithmic == (m_options.text("x_scale") == "log");
    const int points = straight ? 2 : kCurvePoints;
    for (int i = 0; i < points; ++i) {
      const double n = first + (last - first) * i / (points - 1);
      line.x.push_back(n);
      line.y.push_back(fit.intercept + fit.slope * (logarithmic ? std::log(n) : n));
    }
    line.y = shown(line.y);
    FigureMark mark = marked();
    if (alone)
      mark.label = Phrase::list({Phrase::words(logarithmic ? "ln <i>N</i>" : "<i>N</i>"), r2Text(fit)}, ": ");
    mark.style.dash = logarithmic ? LineDash::Dot : LineDash::Dash;
    mark.shape = std::move(line);
    panel.marks.push_back(std::move(mark));
  }

  const OptionValues& m_options;
  const Curve& m_curve;
  bool m_logarithmic;
  MarkStyle m_style;
};

FigurePanel panelOf(const OptionValues& options, const Curve& curve) {
  FigurePanel panel;
  panel.x.label = Phrase::tr("%1 layers <i>N</i>")(stackPhrase(curve.sweep.stack));
  if (options.text("x_scale") == "log") {
    panel.x.scale = AxisScale::Log;
    panel.x.ticks = curve.sweep.depths;
  } else {
    panel.x.whole = true;
  }
  if (options.text("y_scale") == "log") panel.y.scale = AxisScale::Log;
  panel.y.label = Phrase::tr("output shift");
  panel.legend = LegendPlace::Auto;
  return panel;
}

// Then a curve can have the colour of its run.
bool oneCurveEach(const std::vector<Curve>& curves, const std::string& change) {
  std::vector<std::string> runs;
  for (const Curve& curve : curves)
    if (curve.series.change == change) runs.push_back(curve.run);
  std::sort(runs.begin(), runs.end());
  return !runs.empty() && std::adjacent_find(runs.begin(), runs.end()) == runs.end();
}

// Panels of one kind of change stand in one row after another: their sizes differ by orders of magnitude.
void addPanels(FigureSpec& spec, const OptionValues& options, const std::vector<Curve>& curves) {
  const bool together = options.text("form") == "together";
  const int columns = static_cast<int>(options.integer("columns"));
  int row = 0;
  for (const char* change : {"random", "adam"}) {
    const bool ofRuns = oneCurveEach(curves, change);
    int inRow = 0;
    std::size_t index = 0;
    bool bands = false;
    for (const Curve& curve : curves) {
      if (curve.series.change != change) continue;
      if (!together || inRow == 0) {
        FigurePanel panel = panelOf(options, curve);
        panel.row = row + inRow / columns;
        panel.column = together ? 0 : inRow % columns;
        // The size of the change is in the notes: a panel of a column has room for a name only.
        panel.title = together
                          ? changeText(curve)
                          : Phrase(markupOf(curve.name) + (curve.series.change == "adam" ? ", Adam" : ""));
        if (panel.column > 0) panel.y.label.clear();
        spec.panels.push_back(std::move(panel));
        ++inRow;
      }
      const std::size_t place = ofRuns ? static_cast<std::size_t>(curve.colour) : index;
      ++index;
      const auto own = static_cast<std::size_t>(curve.colour);  // of a curve that has its panel for itself
      CurveMarks(options, curve, together ? place : own).addTo(spec.panels.back(), !together);
      bands = bands || shiftHasBand(options, curve);
    }
    if (together && bands) spec.panels.back().marks.push_back(bandEntry(shiftBandText(options)));
    row += (inRow + columns - 1) / columns;
  }
}

Phrase ratioText(const Curve& curve) {
  const QString first = QString::number(curve.sweep.depths.front()),
                last = QString::number(curve.sweep.depths.back());
  const Phrase value = curve.summary.ratio
                           ? Phrase(QString::number(*curve.summary.ratio, 'g', 3).toStdString())
                           : Phrase(Phrase::tr("not known"));
  return Phrase::tr("shift(%1)/shift(%2) = %3")(last.toStdString(), first.toStdString(), value);
}

// Means that a logarithmic axis has no place for: the line is broken there, or is not there at all.
Phrase hiddenShifts(const Curve& curve) {
  const auto finite = [](double mean) { return std::isfinite(mean); };
  const auto hidden = [](double mean) { return std::isfinite(mean) && mean <= 0; };
  const std::vector<double>& means = curve.summary.mean;
  const auto count = std::count_if(means.begin(), means.end(), hidden);
  if (count == 0) return {};
  if (count == std::count_if(means.begin(), means.end(), finite))
    return Phrase::tr("%1: no value is above 0; nothing can be shown on a logarithmic axis")(curve.name);
  const Phrase::Text words =
      count == 1 ? Phrase::tr("%1 value is not above 0 and cannot be shown on the logarithmic %2 axis")
                 : Phrase::tr("%1 values are not above 0 and cannot be shown on the logarithmic %2 axis");
  return Phrase::list({Phrase::words(curve.name), words(count, Phrase::words("y"))}, ": ");
}

void addWords(FigureSpec& spec, const OptionValues& options, const std::vector<Curve>& curves) {
  spec.summary = Phrase::tr("Squared output shift against the number of layers.");
  for (const Curve& curve : curves) {
    const Phrase change = changeText(curve);
    const auto r2 = [](const ShiftFit& fit) {
      return fit.r2 ? Phrase(QString::number(*fit.r2, 'f', 3).toStdString()) : Phrase(Phrase::tr("none"));
    };
    spec.summary.append(Phrase::tr("%1, %2: R2 against N %3, against ln N %4, %5.")(
        curve.name, change, r2(curve.summary.linear), r2(curve.summary.logarithmic), ratioText(curve)));
    spec.notes.push_back(Phrase::tr("%1, %2: %3 draws, %4 real tokens, %5; %6.")(
        curve.name, change, curve.series.draws.size(), curve.sweep.tokens,
        curve.series.sharedPrefixes ? Phrase::tr("prefixes of one net")
                                    : Phrase::tr("one net for each depth"),
        ratioText(curve)));
    if (curve.summary.notFinite > 0)
      spec.notes.push_back(
          Phrase::tr("%1: %2 values are not numbers and left out.")(curve.name, curve.summary.notFinite));
    if (options.text("y_scale") != "log") continue;
    if (Phrase hidden = hiddenShifts(curve); !hidden.empty()) spec.notes.push_back(std::move(hidden));
  }
}

Result<FigureSpec> buildOutputShift(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const std::vector<Curve> curves, curvesOf(source, options));
  FigureSpec spec;
  spec.title = Phrase::tr("Output shift against depth");
  addPanels(spec, options, curves);
  addWords(spec, options, curves);
  if (std::any_of(curves.begin(), curves.end(),
                  [&](const Curve& curve) { return shiftHasBand(options, curve); }))
    spec.notes.push_back(Phrase::tr("%1, over the draws.")(shiftBandText(options)));
  setSize(spec, options, kShiftRowMm * (spec.panels.back().row + 1));
  return spec;
}

OptionField columnsField() {
  return integerField("columns", "Columns", "At most so many variants beside each other.", 3).between(1, 12);
}

std::vector<OptionField> lookFields() {
  const char* axis = "A law in ln N is a straight line over a logarithmic axis.";
  return {
      choiceField("x_scale", "Horizontal scale", axis, {{"linear", "N: linear"}, {"log", "N: logarithmic"}}),
      choiceField("y_scale", "Vertical scale", axis,
                  {{"linear", "shift: linear"}, {"log", "shift: logarithmic"}}),
      choiceField("fits", "Laws", "Which laws are fitted to the means.",
                  {{"both", "both laws"},
                   {"linear", "linear law"},
                   {"logarithmic", "logarithmic law"},
                   {"none", "no law"}}),
      choiceField("band", "Band", "Spread over the draws.",
                  {{"deviation", "band: standard deviation"},
                   {"range", "band: smallest to largest"},
                   {"none", "no band"}})};
}

std::vector<OptionField> outputShiftFields() {
  const OptionField checkpoint =
      typedField("checkpoint", "Checkpoint", "init or empty: the nets are built from the run's options.");
  std::vector<OptionField> all = {
      choiceField("form", "Form", "A panel for each variant, or all in one.",
                  {{"panels", "side by side"}, {"together", "together"}}),
      columnsField(),
      checkpoint,
      computedField(),
      choiceField("place", "Place", "Where the output is taken; they differ for Pre-LN.",
                  {{"after_top_norm", "after the top norm"}, {"stream", "before it"}}),
      choiceField("measure", "Measure", "What is done to both outputs before they are subtracted.",
                  {{"raw", "raw outputs"},
                   {"normalised", "divided by each token's deviation"},
                   {"theorem2", "normalised as in Theorem 2"}}),
      choiceField(
          "tokens", "Tokens", "Which tokens are summed.",
          {{"real", "real tokens"}, {"all", "padding too"}, {"per_real_token", "mean of the real ones"}})};
  for (auto& more : {lookFields(), sizeFields()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

FigureEntry outputShiftFigureEntry() {
  return figureOfAnalysis(
      {.id = "output_shift",
       .fields = outputShiftFields(),
       .sentence = Phrase::tr("Shift of the output {place} · {measure} · {tokens} · variants {form}"),
       .build = buildOutputShift});
}

}  // namespace fathom
