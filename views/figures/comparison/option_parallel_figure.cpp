// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as lines over parallel axes: their options, and last what they reached (docs/analyses.md §13).
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/options/field_builder.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_colours.h"
#include "views/figure/figure_text.h"
#include "views/figures/comparison/run_score_fields.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/option_titles.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"
#include "views/figures/training_curve_figure.h"

namespace fathom {

namespace {

constexpr std::size_t kMostAxes = 8;    // of options, where none are named
constexpr std::size_t kMostWords = 12;  // written at an axis
constexpr double kParallelHeightMm = 70;
constexpr double kEndRoom = 0.08;  // above and below the axes, of their length
constexpr double kFailedOpacity = 0.35;

FigureMark axisLine(double x) {
  FigureMark mark;
  mark.style.colour = "secondary";
  mark.shape = SegmentsMark{{x}, {0}, {x}, {1}, {}};
  return mark;
}

Phrase firstOfOptions(int differing) {
  return Phrase::tr("the first %1 of %2 options in which the runs differ")(kMostAxes, differing);
}

// A note says so where more options differ than are drawn.
Result<std::vector<OptionAxis>> axesOf(const ScoredRuns& runs, const std::string& named,
                                       std::vector<Phrase>& notes) {
  std::vector<std::string> keys;
  for (const std::string_view key : splitAt(named, ','))
    if (!strip(key).empty()) keys.emplace_back(strip(key));
  const bool chosen = !keys.empty();
  if (!chosen) keys = differingKeys(runs.facts);
  if (keys.empty())
    return dataError(Phrase::tr("the runs differ in no option that sets runs apart"),
                     Phrase::tr("name options, or choose other runs"));
  if (!chosen && keys.size() > kMostAxes) {
    notes.push_back(firstOfOptions(static_cast<int>(keys.size())));
    keys.resize(kMostAxes);
  }
  std::vector<OptionAxis> axes;
  for (const std::string& key : keys) {
    FATHOM_TRY(OptionAxis axis, optionAxis(runs.facts, key));
    axes.push_back(std::move(axis));
  }
  return axes;
}

// The scores as an axis like those of options.
OptionAxis scoreAxis(const ScoredRuns& runs) {
  OptionAxis axis;
  axis.key = runs.metric.id;
  axis.numeric = true;
  axis.positions = runs.scores.values;
  ValueRange range;
  range.add(axis.positions);
  axis.low = range.low;
  axis.high = range.high;
  return axis;
}

// Ends of an axis of numbers, every word of one of words.
void addAxis(FigurePanel& panel, const OptionAxis& axis, double x) {
  panel.marks.push_back(axisLine(x));
  const auto write = [&](double y, const std::string& text, TextAnchor anchor) {
    panel.marks.push_back(textMark(x, y, markupOf(text), anchor));
  };
  if (axis.numeric) {
    const bool one = !(axis.high > axis.low);  // its runs lie in the middle
    if (one) return write(0.5, shortValueText(axis.low).toStdString(), TextAnchor::Left);
    write(0, shortValueText(axis.low).toStdString(), TextAnchor::Top);
    return write(1, shortValueText(axis.high).toStdString(), TextAnchor::Bottom);
  }
  const std::size_t every = (axis.words.size() + kMostWords - 1) / kMostWords;
  for (std::size_t i = 0; i < axis.words.size(); i += every) {
    const double y = axis.words.size() < 2 ? 0.5 : static_cast<double>(i) / double(axis.words.size() - 1);
    write(y, axis.words[i], TextAnchor::Left);
  }
}

// By the score, the best drawn last; a run without one ends before the last axis and is pale.
void addRuns(FigurePanel& panel, const ScoredRuns& runs, const std::vector<OptionAxis>& axes,
             const ColourLimits& limits) {
  std::vector<std::size_t> order(runs.facts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t run) {
    const double value = runs.scores.values[run];
    if (!std::isfinite(value)) return -std::numeric_limits<double>::infinity();
    return runs.metric.direction == MetricDirection::Lower ? -value : value;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  for (const std::size_t run : order) {
    LineMark line;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      line.x.push_back(static_cast<double>(i));
      line.y.push_back(axes[i].share(run));
    }
    FigureMark mark;
    mark.selection = "run:" + runs.facts[run].run;
    const double value = runs.scores.values[run];
    const double span = limits.maximum - limits.minimum;
    if (std::isfinite(value)) {
      mark.style.colour = mapColour(ColourMap::Viridis, span > 0 ? (value - limits.minimum) / span : 0.5)
                              .name()
                              .toStdString();
    } else {
      mark.style.colour = "secondary";
      mark.style.dash = LineDash::Dash;
      mark.style.opacity = kFailedOpacity;
    }
    mark.shape = std::move(line);
    panel.marks.push_back(std::move(mark));
  }
}

Result<FigureSpec> buildOptionParallel(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const ScoredRuns runs, scoredRuns(source, options));
  FigureSpec spec;
  spec.notes = scoredRunNotes(runs);
  FATHOM_TRY(std::vector<OptionAxis> axes, axesOf(runs, options.text("options"), spec.notes));
  std::vector<std::string> keys;
  for (const OptionAxis& axis : axes) keys.push_back(axis.key);
  std::vector<Phrase> names;
  for (const std::string& key : keys) names.push_back(optionLabel(key, keys));
  names.push_back(metricLabel(runs.metric));
  axes.push_back(scoreAxis(runs));
  FigurePanel panel;
  panel.x = wordAxis(std::move(names));
  panel.y.scale = AxisScale::None;
  panel.y.minimum = -kEndRoom;
  panel.y.maximum = 1 + kEndRoom;
  panel.legend = LegendPlace::None;
  const ColourLimits limits = colourLimits(axes.back().low, axes.back().high);
  ColourBar bar;
  bar.minimum = limits.minimum;
  bar.maximum = limits.maximum;
  bar.label = metricLabel(runs.metric);
  panel.bars = {bar};
  addRuns(panel, runs, axes, limits);
  for (std::size_t i = 0; i < axes.size(); ++i) addAxis(panel, axes[i], static_cast<double>(i));
  spec.title = Phrase::tr("Options and %1 of %2 runs")(metricLabel(runs.metric), runs.facts.size());
  spec.summary = Phrase::tr("%1 runs over %2 options; %3 from %4 to %5.")(
      runs.facts.size(), axes.size() - 1, metricLabel(runs.metric),
      shortValueText(axes.back().low).toStdString(), shortValueText(axes.back().high).toStdString());
  if (runs.scores.missing > 0) spec.notes.push_back(Phrase::tr("dashed: no score"));
  spec.panels.push_back(std::move(panel));
  setSize(spec, options, kParallelHeightMm);
  return spec;
}

}  // namespace

FigureEntry optionParallelFigureEntry() {
  return {
      .id = "option_parallel",
      .title = "Parallel coordinates",
      .fields = joinedFields({{typedField("options", "Options",
                                          "Keys of the options, with commas between them; empty: those in "
                                          "which the runs differ, eight at most.")},
                              runScoreFields(),
                              sizeFields()}),
      .build = buildOptionParallel,
      .ofOptions = true,
      .inTrain = true};
}

}  // namespace fathom
