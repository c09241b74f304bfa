// SPDX-License-Identifier: GPL-3.0-or-later
// Gradient and update norms of the attention matrices, epoch by epoch (Admin Figs 5, 11;
// docs/analyses.md §6).
#include <algorithm>
#include <cmath>

#include "core/analysis/norms/epoch_norm.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/text_list.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/layer_curves.h"
#include "views/figures/probe_fields.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"

namespace fathom {

namespace {

constexpr double kRowMm = 40;
constexpr std::size_t kAllNamed = 6;

struct RunEpochs {
  std::string name;
  std::vector<EpochNorms> epochs;
};

// The end of each epoch once: what a later attempt repeated counts.
Result<RunEpochs> epochsOf(AnalysisSource& source, const std::string& run) {
  RunEpochs all;
  for (const std::string& checkpoint : source.probedCheckpoints(run, "epoch_norm")) {
    FATHOM_TRY(const ProbedResult probed, source.probed(run, "epoch_norm", checkpoint));
    FATHOM_TRY(EpochNorms norms, epochNormsFromJson(probed.result));
    if (!all.epochs.empty() && all.epochs.back().epoch == norms.epoch) all.epochs.pop_back();
    all.epochs.push_back(std::move(norms));
    all.name = probed.name;
  }
  if (all.epochs.size() > 1) return all;
  const auto facts = source.facts(run);
  return dataError(Phrase::tr("run “%1” has the norms of %2 ends of epochs, two are needed")(
                       (facts.ok() ? facts->name : run), all.epochs.size()),
                   Phrase::tr("train it with analysis.epoch_norms=true for at least one epoch"));
}

const char* symbolOf(const std::string& matrix) {
  if (matrix == "query") return "<i>W</i><sup>Q</sup>";
  if (matrix == "key") return "<i>W</i><sup>K</sup>";
  if (matrix == "value") return "<i>W</i><sup>V1</sup>";
  return "<i>W</i><sup>V2</sup>";
}

// Matrices are named above their columns; where the run is to be told as well, its name stands above all of
// them and theirs below.
void nameColumn(FigurePanel& panel, const EpochNormCurves& kind, bool alone, const std::string& run,
                bool update) {
  const std::string matrix = symbolOf(kind.matrix);
  if (update) panel.x.label = Phrase::tr("epoch");
  if (run.empty() || alone) {
    panel.title = matrix + (run.empty() ? "" : ", " + run);
  } else if (update) {
    panel.x.label = Phrase::tr("%1 (%2)")(matrix, Phrase(panel.x.label));
  } else if (panel.column == 0) {
    panel.title = run;
  }
}

// Rows of several runs are low; that norms are relative is in the caption.
Phrase normLabel(bool update, bool alone) {
  if (!alone) return update ? Phrase::tr("update") : Phrase::tr("gradient");
  return update ? Phrase::tr("relative update norm") : Phrase::tr("relative gradient norm");
}

void addRow(FigureSpec& spec, const std::vector<EpochNormCurves>& kinds, const std::string& run, bool update,
            const std::vector<std::size_t>& shown, int row, int& missing) {
  for (std::size_t column = 0; column < kinds.size(); ++column) {
    const auto& layers = update ? kinds[column].update : kinds[column].gradient;
    FigurePanel panel;
    panel.row = row;
    panel.column = static_cast<int>(column);
    nameColumn(panel, kinds[column], kinds.size() == 1, run, update);
    // Gradients differ by decades, updates by a small factor.
    panel.x.whole = true;
    if (!update) panel.y.scale = AxisScale::Log;
    if (column == 0) panel.y.label = normLabel(update, run.empty());
    panel.legend = LegendPlace::None;
    panel.x.minimum = kinds[column].epochs.front();
    panel.x.maximum = *panel.x.minimum + 1.03 * (kinds[column].epochs.back() - *panel.x.minimum);
    for (const std::size_t layer : shown) {
      if (layer >= layers.size()) continue;
      std::vector<double> x = kinds[column].epochs, y = layers[layer];
      if (update) {  // nothing comes after the last epoch
        x.pop_back();
        y.pop_back();
      }
      missing += hideMissing(y, !update);
      panel.marks.push_back(layerLine(layer, layers.size(), std::move(x), std::move(y)));
      // Few lines have their names, whichever they are.
      if (shown.size() <= kAllNamed) panel.marks.back().label = Phrase::tr("layer %1")(layer + 1);
    }
    spec.panels.push_back(std::move(panel));
  }
}

// The panels of a kind of norm share a range, so that matrices compare.
void shareRange(FigureSpec& spec, int parity) {
  ValueRange range;
  for (const FigurePanel& panel : spec.panels)
    for (const FigureMark& mark : panel.marks)
      for (const double value : std::get<LineMark>(mark.shape).y)
        if (panel.row % 2 == parity && value > 0) range.add(value);
  if (!range.any()) return;
  for (FigurePanel& panel : spec.panels) {
    if (panel.row % 2 != parity) continue;
    panel.y.minimum = parity == 1 ? 0 : range.low / 1.3;
    panel.y.maximum = parity == 1 ? range.high * 1.05 : range.high * 1.3;
  }
}

// "3, 7": epochs whose weights at their beginning are not known.
std::string unknownEpochs(const std::vector<EpochNormCurves>& kinds) {
  std::string list;
  const EpochNormCurves& first = kinds.front();
  for (std::size_t i = 0; i + 1 < first.epochs.size(); ++i) {
    const auto unknown = [i](const std::vector<double>& layer) { return std::isnan(layer[i]); };
    if (std::all_of(first.update.begin(), first.update.end(), unknown))
      list += (list.empty() ? "" : ", ") + shortValueText(first.epochs[i]).toStdString();
  }
  return list;
}

Phrase spread(const std::vector<EpochNormCurves>& kinds, bool update) {
  double low = 0, high = 0;
  for (const EpochNormCurves& kind : kinds)
    for (const auto& layer : update ? kind.update : kind.gradient)
      for (const double value : layer) {
        if (!(value > 0)) continue;
        low = low > 0 ? std::min(low, value) : value;
        high = std::max(high, value);
      }
  return Phrase::tr("%1 to %2")(shortValueText(low).toStdString(), shortValueText(high).toStdString());
}

// "encoder.self_attention": those that a run has, in the order of its network.
std::vector<std::string> attentionsOf(const std::vector<EpochNorms>& epochs) {
  std::vector<std::string> names;
  for (const EpochNorms& epoch : epochs) {
    for (const MatrixNorm& norm : epoch.matrices) {
      std::string name = norm.stack + "." + norm.sublayer;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

// The layers that are drawn, counted from 0: those that the option names, else all.
Result<std::vector<std::size_t>> chosenLayers(const std::vector<EpochNormCurves>& kinds,
                                              const std::string& run, const OptionValues& options) {
  std::size_t most = 0;
  for (const EpochNormCurves& kind : kinds) most = std::max(most, kind.gradient.size());
  std::vector<std::size_t> layers;
  for (const std::int64_t number : options.integers("layers")) {
    if (number < 1 || static_cast<std::size_t>(number) > most)
      return aboutKey("layers", usageError(Phrase::tr("run %1 has no layer %2")(run, number),
                                           Phrase::tr("it has layers 1 to %1")(most)));
    layers.push_back(static_cast<std::size_t>(number - 1));
  }
  std::sort(layers.begin(), layers.end());
  layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
  if (!layers.empty()) return layers;
  for (std::size_t layer = 0; layer < most; ++layer) layers.push_back(layer);
  return layers;
}

// One matrix has the whole width; all of them stand beside each other.
void keepMatrix(std::vector<EpochNormCurves>& kinds, const std::string& wanted) {
  if (wanted == "all") return;
  std::erase_if(kinds, [&wanted](const EpochNormCurves& kind) { return kind.matrix != wanted; });
}

Result<FigureSpec> buildEpochNorm(AnalysisSource& source, const OptionValues& options) {
  const auto reference =
      options.text("reference") == "network" ? NormReference::Network : NormReference::MatrixKind;
  FigureSpec spec;
  spec.title = Phrase::tr("Gradient and update norms of each epoch");
  spec.summary = Phrase::tr("%1, relative to the largest.")(Phrase(spec.title));
  int missing = 0, row = 0;
  const std::vector<std::string> runs = source.runs();
  for (const std::string& run : runs) {
    FATHOM_TRY(const RunEpochs all, epochsOf(source, run));
    const std::vector<std::string> known = attentionsOf(all.epochs);
    std::string wanted = options.text("attention");
    if (wanted.empty() && !known.empty())
      wanted = known[shownFirst(known, [](const std::string& name) { return name; })];
    const auto dot = wanted.find('.');
    auto kinds = epochNormCurves(all.epochs, wanted.substr(0, dot),
                                 dot == std::string::npos ? "" : wanted.substr(dot + 1), reference);
    if (kinds.empty()) {
      return aboutKey("attention", usageError(Phrase::tr("run %1 has no norms of '%2'")(all.name, wanted),
                                              Phrase::tr("it has: %1")(joined(known, ", "))));
    }
    FATHOM_TRY(const std::vector<std::size_t> layers, chosenLayers(kinds, all.name, options));
    keepMatrix(kinds, options.text("matrix"));
    if (kinds.empty())
      return aboutKey(
          "matrix", usageError(Phrase::tr("run %1 has no norms of '%2'")(all.name, options.text("matrix"))));
    const std::string shown = runs.size() > 1 ? markupOf(all.name) : std::string();
    for (const bool update : {false, true}) addRow(spec, kinds, shown, update, layers, row++, missing);
    spec.summary.append(
        Phrase::tr("%1: gradients %2, updates %3.")(all.name, spread(kinds, false), spread(kinds, true)));
    if (const std::string unknown = unknownEpochs(kinds); !unknown.empty()) {
      spec.notes.push_back(Phrase::tr(
          "%1: no update norms after epoch %2; the run was resumed there from a checkpoint without the "
          "epoch's first weights, or has no norms of the epoch after it.")(all.name, unknown));
      spec.summary.append(spec.notes.back());
    }
  }
  if (spec.panels.empty()) return noRunChosen();
  for (const int parity : {0, 1}) shareRange(spec, parity);
  addDepthLegends(spec, 2);
  if (runs.size() > 1)  // whose axes say less
    spec.notes.push_back(reference == NormReference::Network
                             ? Phrase::tr("Norms are divided by the largest of all matrices of the run.")
                             : Phrase::tr("Norms are divided by the largest of the same matrix of the run."));
  spec.notes.push_back(
      Phrase::tr("Gradients over a sample of the training part, without dropout; an update stands at the "
                 "epoch it begins with."));
  if (missing > 0)
    spec.notes.push_back(Phrase::tr("%1 norms are zero, unknown or not numbers and not drawn.")(missing));
  setSize(spec, options, kRowMm * row + 8);
  return spec;
}

}  // namespace

FigureEntry epochNormFigureEntry() {
  const OptionField attention = typedField(
      "attention", "Attention",
      "encoder.self_attention, decoder.self_attention, decoder.cross_attention or extra.self_attention; "
      "empty: the extra layers, else the first.");
  const OptionField matrix =
      choiceField("matrix", "Matrix", "All four beside each other, or one as wide as the page.",
                  {{"all", "all matrices"},
                   {"query", "queries"},
                   {"key", "keys"},
                   {"value", "values"},
                   {"output", "output"}});
  const OptionField layers =
      FieldBuilder(OptionType::IntegerList, "layers", "Layers",
                   "Only these, counted from 1, such as 1,6,12; empty: every layer.", Json::array());
  return figureOfAnalysis(
      {.id = "epoch_norm",
       .fields = joinedFields(
           {{attention, matrix, layers,
             choiceField(
                 "reference", "Relative to", "The largest value that every norm is divided by.",
                 {{"kind", "the largest of the same matrix"}, {"network", "the largest of all matrices"}})},
            sizeFields()}),
       .sentence =
           Phrase::tr("Norms of {attention} by epoch · {matrix} · layers {layers} · relative to {reference}"),
       .build = buildEpochNorm});
}

}  // namespace fathom
