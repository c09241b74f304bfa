// SPDX-License-Identifier: GPL-3.0-or-later
// Distribution of the norms that enter a stack with µ marked, and the scale of every tensor (DT-Fixup §3).
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/analysis/norms/input_norm.h"
#include "core/analysis/training/stack_phrase.h"
#include "core/base/options/field_builder.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_colours.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/probe_fields.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"

namespace fathom {

namespace {

constexpr std::size_t kBars = 48;  // neighbouring bins are joined until so many are left
constexpr int kInputColumns = 2;
constexpr double kHistogramMm = 46, kNormRowMm = 6.5, kAroundMm = 34;

struct RunInputs {
  std::string name, checkpoint;
  InputNorms norms;
};

Result<std::vector<RunInputs>> inputsOf(AnalysisSource& source, const OptionValues& options) {
  std::vector<RunInputs> all;
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(const ProbedResult probed,
               probedWithMoment(source, run, "input_norm", options.text("checkpoint"), options));
    FATHOM_TRY(InputNorms norms, inputNormsFromJson(probed.result));
    all.push_back({probed.name, probed.checkpoint, std::move(norms)});
  }
  if (all.empty()) return noRunChosen();
  return all;
}

Phrase nameOf(const InputNormPart& part) {
  if (part.part.empty()) return Phrase::tr("%1 input")(stackPhrase(part.stack));
  return Phrase::tr("%1, %2 before projection")(stackPhrase(part.stack), part.part);
}

BarsMark barsOf(const InputNormPart& part) {
  const std::size_t joined = std::max<std::size_t>(1, (part.counts.size() + kBars - 1) / kBars);
  BarsMark bars;
  bars.width = part.width * static_cast<double>(joined);
  for (std::size_t i = 0; i < part.counts.size(); i += joined) {
    double share = 0;
    for (std::size_t j = i; j < std::min(i + joined, part.counts.size()); ++j)
      share += static_cast<double>(part.counts[j]);
    bars.x.push_back((static_cast<double>(i) + 0.5 * static_cast<double>(joined)) * part.width);
    bars.height.push_back(share / static_cast<double>(part.values.count));
  }
  return bars;
}

FigurePanel histogramPanel(const RunInputs& run, const InputNormPart& part, bool severalRuns) {
  FigurePanel panel;
  panel.title = nameOf(part);
  if (severalRuns) panel.title.append(markupOf(run.name), ", ");
  panel.x.label = Phrase::tr("L2 norm of a vector");
  panel.x.minimum = 0;
  panel.y.minimum = 0;
  panel.legend = LegendPlace::Inside;
  FigureMark bars;
  bars.style.fill = 0.8;
  bars.shape = barsOf(part);
  panel.marks.push_back(std::move(bars));
  FigureMark rule;
  rule.label = "<i>µ</i> = " + shortValueText(part.mu()).toStdString();
  rule.style.colour = "series:1";
  rule.style.dash = LineDash::Dash;
  rule.shape = RuleMark{part.mu(), true};
  panel.marks.push_back(std::move(rule));
  return panel;
}

std::vector<Phrase> histogramNotes(const RunInputs& run) {
  std::vector<Phrase> notes;
  for (const InputNormPart& part : run.norms.parts) {
    Phrase note = Phrase::tr("%1, %2, %3: µ %4, median %5 over %6 vectors of %7 examples")(
        run.name, run.checkpoint, nameOf(part), shortValueText(part.mu()).toStdString(),
        shortValueText(part.values.median()).toStdString(), part.values.count, run.norms.examples);
    if (part.skipped > 0)
      note.append(Phrase::tr("%1 examples with a row that is not a number left out")(part.skipped), "; ");
    if (part.residual != "unnormalised")
      note.append(Phrase::tr("the stack is %1, so DT-Fixup scales nothing by µ")(part.residual), "; ");
    notes.push_back(Phrase::tr("%1.")(std::move(note)));
  }
  for (const UsedInputNorm& used : run.norms.used)
    notes.push_back(Phrase::tr("%1: the %2 began with µ %3, factor %4.")(
        run.name, stackPhrase(used.stack), shortValueText(used.mu).toStdString(),
        shortValueText(used.factor).toStdString()));
  return notes;
}

// Axes of the panels of one input, of all runs and of what the option "scale" adds.
struct HistogramReach {
  double norm = 0, share = 0;
  void add(const InputNormPart& part) {
    const BarsMark bars = barsOf(part);
    for (std::size_t i = 0; i < bars.x.size(); ++i)
      if (bars.height[i] > 0) norm = std::max(norm, bars.x[i] + bars.width / 2);
    for (const double height : bars.height) share = std::max(share, height);
  }
};

void shareAxes(FigureSpec& spec, const std::vector<RunInputs>& runs, const std::vector<RunInputs>& others) {
  std::map<std::string, HistogramReach> reach;
  for (const std::vector<RunInputs>* list : {&runs, &others})
    for (const RunInputs& run : *list)
      for (const InputNormPart& part : run.norms.parts) reach[nameOf(part).english()].add(part);
  std::size_t panel = 0;
  for (const RunInputs& run : runs) {
    for (const InputNormPart& part : run.norms.parts) {
      const HistogramReach& shared = reach[nameOf(part).english()];
      FigurePanel& drawn = spec.panels[panel++];
      if (shared.norm > 0) drawn.x.maximum = shared.norm * 1.05;
      if (shared.share > 0) drawn.y.maximum = shared.share * 1.05;
    }
  }
}

void drawHistograms(FigureSpec& spec, const std::vector<RunInputs>& runs,
                    const std::vector<RunInputs>& others) {
  int row = 0;
  for (const RunInputs& run : runs) {
    // Three beside each other would cut their titles in a column of text.
    const int columns = std::min(int(run.norms.parts.size()), kInputColumns);
    int index = 0;
    for (const InputNormPart& part : run.norms.parts) {
      FigurePanel panel = histogramPanel(run, part, runs.size() > 1);
      if (index > 0 && index % columns == 0) ++row;
      panel.row = row;
      panel.column = index++ % columns;
      if (panel.column == 0)
        panel.y.label = runs.size() > 1 ? Phrase::tr("share") : Phrase::tr("share of the vectors");
      spec.panels.push_back(std::move(panel));
    }
    ++row;
    for (Phrase& note : histogramNotes(run)) spec.notes.push_back(std::move(note));
  }
  shareAxes(spec, runs, others);
  spec.heightMm = kHistogramMm * row + 8;
}

// "encoder.layers.3.self_attention.query.weight" -> layer "encoder 4", kind "self attention query".
struct NormPlace {
  std::string layer, kind;
};
std::optional<NormPlace> placeOf(const TensorScale& scale) {
  const auto layers = scale.name.find(".layers.");
  const auto number = layers + 8;
  const auto dot = layers == std::string::npos ? layers : scale.name.find('.', number);
  if (scale.shape.size() < 2 || dot == std::string::npos || !scale.name.ends_with(".weight")) return {};
  NormPlace place;
  place.layer = scale.name.substr(0, layers) + " " +
                std::to_string(std::stoi(scale.name.substr(number, dot - number)) + 1);
  place.kind = scale.name.substr(dot + 1, scale.name.size() - dot - 1 - 7);
  std::replace(place.kind.begin(), place.kind.end(), '.', ' ');
  std::replace(place.kind.begin(), place.kind.end(), '_', ' ');
  return place;
}

std::size_t indexOf(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

// Standard deviation or factor of every matrix, layer by layer: a table as cells with their numbers.
Status drawScales(FigureSpec& spec, const RunInputs& run, bool factor) {
  std::vector<std::string> layers, kinds;
  std::vector<std::pair<std::pair<std::size_t, std::size_t>, double>> found;
  for (const TensorScale& scale : run.norms.tensors) {
    const auto place = placeOf(scale);
    if (!place) continue;
    const std::size_t row = indexOf(layers, place->layer), column = indexOf(kinds, place->kind);
    found.push_back({{row, column}, factor ? scale.factor : scale.deviation});
  }
  if (found.empty()) return dataError(Phrase::tr("the model of run %1 has no matrices in layers")(run.name));
  CellsMark cells;
  cells.rows = static_cast<int>(layers.size());
  cells.columns = static_cast<int>(kinds.size());
  cells.values.assign(layers.size() * kinds.size(), std::nan(""));
  cells.shown.assign(cells.values.size(), '.');  // an encoder has no cross attention: nothing is there
  for (const auto& [place, value] : found) {
    cells.values[place.first * kinds.size() + place.second] = value;
    cells.shown[place.first * kinds.size() + place.second] = '#';
  }
  if (cells.shown.find('.') == std::string::npos) cells.shown.clear();
  cells.numbers = true;
  FigurePanel panel;
  panel.x = categoryAxis(kinds);
  panel.y = categoryAxis(layers);
  panel.y.reversed = true;
  panel.legend = LegendPlace::None;
  panel.title = Phrase::tr("%1, %2: %3")(
      markupOf(run.name), markupOf(run.checkpoint),
      factor ? Phrase::tr("factors of the initialisation") : Phrase::tr("standard deviations"));
  ColourBar bar;
  for (const auto& [place, value] : found) bar.missing += std::isfinite(value) ? 0 : 1;
  panel.bars = {bar};
  panel.marks.push_back({.shape = std::move(cells)});
  panel.row = static_cast<int>(spec.panels.size());
  spec.panels.push_back(std::move(panel));
  spec.heightMm += kNormRowMm * static_cast<double>(layers.size()) + kAroundMm;
  return {};
}

std::vector<double> scalesOf(const std::vector<RunInputs>& runs, bool factor) {
  std::vector<double> scales;
  for (const RunInputs& run : runs)
    for (const TensorScale& scale : run.norms.tensors)
      if (placeOf(scale)) scales.push_back(factor ? scale.factor : scale.deviation);
  return scales;
}

// One range for the maps of all runs; `more`: values that are not drawn, but lie in it too.
void shareColours(FigureSpec& spec, const std::vector<double>& more) {
  ValueRange range;
  range.add(more);
  for (const FigurePanel& panel : spec.panels)
    range.add(std::get<CellsMark>(panel.marks.front().shape).values);
  const ColourLimits limits = range.any() ? colourLimits(range.low, range.high) : colourLimits(0, 0);
  for (FigurePanel& panel : spec.panels) {
    CellsMark& cells = std::get<CellsMark>(panel.marks.front().shape);
    cells.minimum = panel.bars.front().minimum = limits.minimum;
    cells.maximum = panel.bars.front().maximum = limits.maximum;
  }
}

std::vector<RunInputs> inputsForScale(AnalysisSource& source, const OptionValues& options) {
  std::vector<RunInputs> all;
  for (const ProbedResult& state : scaleStates(source, "input_norm", options))
    if (auto norms = inputNormsFromJson(state.result); norms.ok())
      all.push_back({state.name, state.checkpoint, std::move(*norms)});
  return all;
}

Result<FigureSpec> buildInputNorm(AnalysisSource& source, const OptionValues& options) {
  const std::vector<RunInputs> others = inputsForScale(source, options);
  FATHOM_TRY(const auto runs, inputsOf(source, options));
  const std::string form = options.text("form");
  FigureSpec spec;
  spec.title = form == "histogram" ? Phrase::tr("Input norm") : Phrase::tr("Scale of tensors");
  spec.summary = Phrase::tr("%1.")(Phrase(spec.title));
  for (const RunInputs& run : runs)
    for (Phrase& note : histogramNotes(run)) spec.summary.append(std::move(note));
  if (form == "histogram") {
    drawHistograms(spec, runs, others);
  } else {
    for (const RunInputs& run : runs) FATHOM_CHECK(drawScales(spec, run, form == "factors"));
    shareColours(spec, scalesOf(others, form == "factors"));
    spec.notes.push_back(
        form == "factors"
            ? Phrase::tr("What the initialisation multiplied each matrix by after filling it; 1 = nothing.")
            : Phrase::tr("Standard deviation of each matrix at this checkpoint."));
  }
  setSize(spec, options, spec.heightMm);
  return spec;
}

}  // namespace

FigureEntry inputNormFigureEntry() {
  return figureOfAnalysis(
      {.id = "input_norm",
       .fields = joinedFields(
           {{choiceField("form", "Form", "Distribution of the norms, or one number for each matrix.",
                         {{"histogram", "distribution with µ"},
                          {"scales", "standard deviations of the matrices"},
                          {"factors", "factors of the initialisation"}}),
             checkpointField(), computedField(), scaleField()},
            sizeFields()}),
       .sentence = Phrase::tr("Norms of the inputs · {form} · scale {scale}"),
       .build = buildInputNorm});
}

}  // namespace fathom
