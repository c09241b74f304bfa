// SPDX-License-Identifier: GPL-3.0-or-later
// Relative gradient norms of the sub-layers' outputs, encoder and decoder (Admin Fig 3;
// docs/analyses.md §5).
#include <algorithm>
#include <cmath>

#include "core/analysis/norms/sublayer_norms.h"
#include "core/analysis/training/stack_phrase.h"
#include "core/base/options/field_builder.h"
#include "core/record/runs/checkpoint_choice.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/layer_curves.h"
#include "views/figures/probe_fields.h"
#include "views/figures/probe_selection.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"
#include "views/selection/selection.h"

namespace fathom {

namespace {

constexpr double kHeightMm = 56;  // two panels side by side in one column stay readable

struct RunNorms {
  std::string uuid, name, checkpoint;
  std::vector<SublayerNorm> norms;
  int colour = 0;
};

std::vector<std::string> stacksOf(const std::vector<RunNorms>& runs) {
  std::vector<std::string> stacks;
  for (const RunNorms& run : runs)
    for (const SublayerNorm& norm : run.norms)
      if (std::find(stacks.begin(), stacks.end(), norm.stack) == stacks.end()) stacks.push_back(norm.stack);
  return stacks;
}

std::size_t sublayersOf(const std::vector<RunNorms>& runs, const std::string& stack) {
  std::size_t most = 0;
  for (const RunNorms& run : runs) {
    const auto count = std::count_if(run.norms.begin(), run.norms.end(),
                                     [&](const SublayerNorm& norm) { return norm.stack == stack; });
    most = std::max(most, static_cast<std::size_t>(count));
  }
  return most;
}

// A norm of 0 cannot stand on a logarithmic axis: it breaks the line and is counted.
FigureMark lineOf(const RunNorms& run, const std::string& stack, int& missing) {
  LineMark line;
  FigureMark mark;
  double position = 0;
  for (const SublayerNorm& norm : run.norms) {
    if (norm.stack != stack) continue;
    mark.columnParts.push_back(sublayerPart(norm.name, static_cast<int>(position)));
    const bool shown = std::isfinite(norm.relative) && norm.relative > 0;
    if (!shown) ++missing;
    line.x.push_back(++position);
    line.y.push_back(shown ? norm.relative : std::nan(""));
  }
  mark.selection = probeSelection(run.uuid, stack, {});
  mark.label = markupOf(run.name);
  mark.style = seriesStyle(static_cast<std::size_t>(run.colour));
  mark.style.marker = line.x.size() <= 60 ? MarkerShape::Disc : MarkerShape::None;
  mark.shape = std::move(line);
  return mark;
}

// The lowest norm of all checkpoints that the option "scale" asks for; 1, the largest norm, where there is
// none.
double lowestOfAll(AnalysisSource& source, const OptionValues& options) {
  double low = 1;
  for (const ProbedResult& state : scaleStates(source, "gradient_norm", options)) {
    const auto norms = sublayerNormsFromJson(state.result);
    if (!norms.ok()) continue;
    for (const SublayerNorm& norm : *norms)
      if (std::isfinite(norm.relative) && norm.relative > 0) low = std::min(low, norm.relative);
  }
  return low;
}

Result<std::vector<RunNorms>> normsOf(AnalysisSource& source, const OptionValues& options) {
  std::vector<RunNorms> runs;
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(const ProbedResult probed,
               probedWithMoment(source, run, "gradient_norm", options.text("checkpoint"), options));
    FATHOM_TRY(std::vector<SublayerNorm> norms, sublayerNormsFromJson(probed.result));
    runs.push_back({run, probed.name, probed.checkpoint, std::move(norms), source.colourOf(run)});
  }
  if (runs.empty()) return noRunChosen();
  return runs;
}

Result<FigureSpec> buildGradientNorm(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const auto runs, normsOf(source, options));
  FigureSpec spec;
  spec.title = Phrase::tr("Relative gradient norms of sub-layer outputs");
  spec.summary = Phrase::tr("%1.")(Phrase(spec.title));
  int missing = 0;
  const double lowest = lowestOfAll(source, options);
  for (const std::string& stack : stacksOf(runs)) {
    FigurePanel panel;
    panel.title = stackPhrase(stack);
    panel.column = static_cast<int>(spec.panels.size());
    panel.x.label = Phrase::tr("sub-layer");
    numberPlaces(panel.x, sublayersOf(runs, stack));
    panel.y.scale = AxisScale::Log;
    if (lowest < 1) {
      panel.y.minimum = lowest / 1.3;
      panel.y.maximum = 1.3;
    }
    if (spec.panels.empty()) panel.y.label = Phrase::tr("relative gradient norm");
    for (std::size_t i = 0; i < runs.size(); ++i) panel.marks.push_back(lineOf(runs[i], stack, missing));
    panel.legend = spec.panels.empty() && runs.size() > 1 ? LegendPlace::Auto : LegendPlace::None;
    spec.panels.push_back(std::move(panel));
  }
  for (const RunNorms& run : runs) {
    std::vector<Phrase> lowest;
    for (const std::string& stack : stacksOf(runs)) {
      const auto first = std::find_if(run.norms.begin(), run.norms.end(),
                                      [&](const SublayerNorm& norm) { return norm.stack == stack; });
      if (first != run.norms.end())
        lowest.push_back(Phrase::tr("lowest sub-layer of the %1 %2")(
            stackPhrase(stack), shortValueText(first->relative).toStdString()));
    }
    spec.summary.append(
        Phrase::tr("%1, %2: %3.")(run.name, run.checkpoint, Phrase::list(std::move(lowest), "; ")));
  }
  spec.notes.push_back(Phrase::tr("Each norm divided by the largest of its network."));
  if (missing > 0)
    spec.notes.push_back(Phrase::tr("%1 norms are zero or not numbers and not drawn.")(missing));
  setSize(spec, options, kHeightMm);
  return spec;
}

// The chosen sub-layer over the updates that have results.
Result<FigureSpec> gradientNormDetail(AnalysisSource& source, const OptionValues& options,
                                      const std::string& selection) {
  FATHOM_TRY(const Selection named, Selection::fromText(QString::fromStdString(selection)));
  bool known = false;
  const int chosen = named.current(Dimension::Sublayer).toInt(&known);
  const std::string stack = stackOfSelection(named);
  if (!known) return usageError(Phrase::tr("the selection '%1' names no sub-layer")(selection));
  FATHOM_TRY(const auto runs, normsOf(source, options));
  FigureSpec spec;
  std::string name;
  Phrase numbers;
  FigurePanel panel;
  panel.x.label = Phrase::tr("updates");
  panel.x.whole = true;
  panel.y.label = Phrase::tr("relative gradient norm");
  panel.y.scale = AxisScale::Log;
  panel.legend = runs.size() > 1 ? LegendPlace::Auto : LegendPlace::None;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    LineMark line;
    for (const ProbedResult& state : probedStates(source, runs[i].uuid, "gradient_norm", options)) {
      const auto step = checkpointStep(state.checkpoint);
      if (!step) continue;
      FATHOM_TRY(const std::vector<SublayerNorm> norms, sublayerNormsFromJson(state.result));
      int position = 0;
      for (const SublayerNorm& norm : norms) {
        if (norm.stack != stack || position++ != chosen) continue;
        name = norm.name;
        line.x.push_back(static_cast<double>(*step));
        line.y.push_back(norm.relative > 0 ? norm.relative : std::nan(""));
        if (state.checkpoint == runs[i].checkpoint)
          numbers.append(Phrase::tr("%1: relative norm %2, norm %3.")(
              runs[i].name, shortValueText(norm.relative).toStdString(),
              shortValueText(norm.norm).toStdString()));
      }
    }
    FigureMark mark;
    mark.label = markupOf(runs[i].name);
    mark.style.colour = seriesStyle(static_cast<std::size_t>(runs[i].colour)).colour;
    mark.style.marker = MarkerShape::Disc;
    mark.shape = std::move(line);
    panel.marks.push_back(std::move(mark));
  }
  if (name.empty())
    return usageError(Phrase::tr("no run has a sub-layer number %1 in the %2")(chosen + 1, stack));
  spec.title = name;
  panel.title = markupOf(name);
  spec.summary = name + ".";
  if (!numbers.empty()) spec.summary.append(std::move(numbers));
  spec.panels.push_back(std::move(panel));
  return spec;
}

}  // namespace

FigureEntry gradientNormFigureEntry() {
  return figureOfAnalysis(
      {.id = "gradient_norm",
       .fields = joinedFields({{checkpointField(), computedField(), scaleField()}, sizeFields()}),
       .sentence = Phrase::tr("Relative gradient norms · scale {scale}"),
       .build = buildGradientNorm,
       .detail = gradientNormDetail});
}

}  // namespace fathom
