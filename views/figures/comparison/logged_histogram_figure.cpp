// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms that another program logged: how values were spread over the updates, or at one of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/number_text.h"
#include "core/record/runs/logged_histogram.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"

namespace fathom {

namespace {

constexpr double kLeastBucket = 1.0 / 60;  // of the range: narrower ones are joined
constexpr double kRunOfHistogramMm = 44;

struct SpreadRun {
  std::string name;
  LoggedHistograms logged;
};

// Shares of a normal distribution: everything, and one and a half, one and half a deviation around the mean.
constexpr std::array<std::pair<double, double>, 4> kSpreadBands = {
    {{0, 1}, {0.0668, 0.9332}, {0.1587, 0.8413}, {0.3085, 0.6915}}};

std::vector<double> quantilesOf(const LoggedHistograms& logged, double share) {
  std::vector<double> values;
  for (const LoggedHistogram& state : logged.states) values.push_back(quantileOf(state, share));
  return values;
}

// Over training: nested bands around the median.
void addSpread(FigurePanel& panel, const LoggedHistograms& logged, bool named) {
  std::vector<double> steps;
  for (const LoggedHistogram& state : logged.states) steps.push_back(state.step);
  for (const auto& [low, high] : kSpreadBands) {
    FigureMark mark;
    mark.style = seriesStyle(0);
    mark.style.fill = kBandFill;
    mark.shape = BandMark{steps, quantilesOf(logged, low), quantilesOf(logged, high)};
    panel.marks.push_back(std::move(mark));
  }
  FigureMark median;
  median.style = seriesStyle(0);
  if (named) median.label = Phrase::tr("median");
  median.shape = LineMark{steps, quantilesOf(logged, 0.5)};
  panel.marks.push_back(std::move(median));
  // They lie on each other: the inner ones are the darker ones.
  if (named) panel.marks.push_back(bandEntry(Phrase::tr("all, and 87, 68 and 38 % in the middle")));
  panel.x.whole = true;
}

// At one update: the outline of the buckets, and the area below it.
void addBuckets(FigurePanel& panel, const LoggedHistogram& logged) {
  const LoggedHistogram histogram = withoutSlivers(logged, kLeastBucket);
  std::vector<double> x, height;
  const std::vector<double> density = densityOf(histogram);
  for (std::size_t i = 0; i < density.size(); ++i) {
    if (std::isnan(density[i])) continue;
    for (const double edge : {histogram.edges[i], histogram.edges[i + 1]}) {
      x.push_back(edge);
      height.push_back(density[i]);
    }
  }
  FigureMark area, outline;
  area.style = outline.style = seriesStyle(0);
  area.style.fill = kBandFill;
  area.shape = BandMark{x, std::vector<double>(x.size(), 0), height};
  outline.shape = LineMark{x, height};
  panel.marks.push_back(std::move(area));
  panel.marks.push_back(std::move(outline));
  panel.y.minimum = 0;
}

Result<std::optional<double>> updateAsked(const OptionValues& options) {
  const std::string text = options.text("update");
  if (text.empty()) return std::optional<double>();
  const auto number = numberFrom<double>(text);
  if (number && *number >= 0) return std::optional(*number);
  return aboutKey("update", usageError(Phrase::tr("'%1' is no number of updates")(text),
                                       Phrase::tr("leave it empty for all of the training")));
}

// The newest one until then, else the first there is.
const LoggedHistogram& stateAt(const LoggedHistograms& logged, double update) {
  const LoggedHistogram* best = &logged.states.front();
  for (const LoggedHistogram& state : logged.states)
    if (state.step <= update) best = &state;
  return *best;
}

Result<std::vector<SpreadRun>> spreadRuns(AnalysisSource& source, const std::string& tag) {
  std::vector<SpreadRun> runs;
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(const RunFacts facts, source.facts(run));
    FATHOM_TRY(LoggedHistograms logged, source.histograms(run, tag));
    runs.push_back({facts.name, std::move(logged)});
  }
  if (runs.empty()) return noRunChosen();
  return runs;
}

// Runs compare where their axes are one.
void shareSpread(FigureSpec& spec) {
  ValueRange x, y;
  for (const FigurePanel& panel : spec.panels)
    for (const FigureMark& mark : panel.marks) {
      if (const auto* band = std::get_if<BandMark>(&mark.shape)) {
        x.add(band->x);
        y.add(band->lower);
        y.add(band->upper);
      }
    }
  for (FigurePanel& panel : spec.panels) {
    if (x.high > x.low) panel.x.minimum = x.low, panel.x.maximum = x.high;
    const double room = 0.03 * (y.high - y.low);
    if (!(room > 0)) continue;
    panel.y.minimum = panel.y.minimum ? *panel.y.minimum : y.low - room;
    panel.y.maximum = y.high + room;
  }
}

Result<FigureSpec> buildLoggedHistogram(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const std::optional<double> update, updateAsked(options));
  FATHOM_TRY(const auto runs, spreadRuns(source, options.text("tag")));
  FigureSpec spec;
  spec.title = Phrase::tr("Logged histograms");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const LoggedHistograms& logged = runs[i].logged;
    const bool one = update || logged.states.size() == 1;
    FigurePanel panel;
    panel.row = static_cast<int>(i);
    panel.title = markupOf(runs.size() > 1 ? runs[i].name + ", " + logged.tag : logged.tag);
    panel.legend = i == 0 && !one ? LegendPlace::Auto : LegendPlace::None;
    const LoggedHistogram& state = stateAt(logged, update.value_or(0));
    if (one)
      addBuckets(panel, state);
    else
      addSpread(panel, logged, i == 0);
    const bool last = i + 1 == runs.size();
    if (last) panel.x.label = one ? Phrase::tr("value") : Phrase::tr("update");
    panel.y.label = one ? Phrase::tr("density") : Phrase::tr("value");
    spec.panels.push_back(std::move(panel));
    const std::string step = formatted("%.15g", state.step);
    spec.notes.push_back(
        one ? Phrase::tr("%1: %2 at update %3.")(markupOf(runs[i].name), markupOf(logged.tag), step)
            : Phrase::tr("%1: %2 histograms of %3.")(markupOf(runs[i].name), logged.states.size(),
                                                     markupOf(logged.tag)));
    const double middle = quantileOf(one ? state : logged.states.back(), 0.5);
    spec.summary.append(Phrase::tr("%1, %2: median %3 at the end.")(
        markupOf(runs[i].name), markupOf(logged.tag), shortValueText(middle).toStdString()));
  }
  shareSpread(spec);
  setSize(spec, options, kRunOfHistogramMm * static_cast<double>(runs.size()) + 12);
  return spec;
}

}  // namespace

FigureEntry loggedHistogramFigureEntry() {
  return {.id = "logged_histogram",
          .title = "Logged histograms",
          .fields = joinedFields(
              {{typedField("tag", "Tag", "Name of what was logged; empty: the first that the run has."),
                typedField("update", "Update",
                           "The histogram at this update; empty: how they change over training.")},
               sizeFields()}),
          .build = buildLoggedHistogram,
          .inTrain = true};
}

}  // namespace fathom
