// SPDX-License-Identifier: GPL-3.0-or-later
// Violins of the Jensen-Shannon divergence from the layer below, or a map of its medians (RealFormer Fig 6).
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/attention/attention_jsd.h"
#include "core/base/options/field_builder.h"
#include "views/figure/figure_text.h"
#include "views/figures/attention/attention_detail.h"
#include "views/figures/attention/attention_violins.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/map_palette.h"
#include "views/figures/probe_selection.h"

namespace fathom {

namespace {

// One cell per layer and head: the median.
void drawAsMaps(FigureSpec& spec, const std::vector<AttentionResult>& results, const std::string& palette) {
  int notNumbers = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& layers = results[i].attention.heads;
    CellsMark cells;
    cells.rows = static_cast<int>(layers.size());
    for (const auto& heads : layers) cells.columns = std::max(cells.columns, static_cast<int>(heads.size()));
    cells.values.assign(static_cast<std::size_t>(cells.rows * cells.columns),
                        std::numeric_limits<double>::quiet_NaN());
    cells.shown.assign(cells.values.size(), '.');  // layers may have fewer heads than others
    for (std::size_t row = 0; row < layers.size(); ++row)
      for (std::size_t head = 0; head < layers[row].size(); ++head) {
        const double median = layers[row][head].values.median();
        cells.values[row * static_cast<std::size_t>(cells.columns) + head] = median;
        cells.shown[row * static_cast<std::size_t>(cells.columns) + head] = '#';
        notNumbers += std::isfinite(median) ? 0 : 1;
      }
    if (cells.shown.find('.') == std::string::npos) cells.shown.clear();
    cells.minimum = 0;
    cells.maximum = 1;
    cells.map = palette;
    FigureMark mark;
    mark.selection =
        probeSelection(results[i].source.run, results[i].attention.stack, results[i].attention.kind);
    for (int row = 0; row < cells.rows; ++row)
      mark.rowParts.push_back("L" + std::to_string(row + results[i].attention.firstLayer));
    for (int head = 0; head < cells.columns; ++head) mark.columnParts.push_back("H" + std::to_string(head));
    mark.shape = std::move(cells);
    spec.panels[i].marks = {std::move(mark)};
    spec.panels[i].aspect = 1;
    spec.panels[i].legend = LegendPlace::None;  // the bar says what the colours are
    if (i + 1 < results.size()) continue;
    ColourBar bar;
    bar.label = Phrase::tr("median (bits)");
    bar.map = palette;
    bar.missing = notNumbers;
    spec.panels[i].bars = {bar};
  }
  spec.notes.front() =
      Phrase::tr("Median over tokens of the divergence from the same head of the layer below.");
}

ViolinLook jsdLook(const OptionValues& options) {
  ViolinLook look;
  look.quantity = Phrase::tr("Jensen-Shannon divergence from the layer below (bits)");
  look.axis = Phrase::tr("divergence (bits)");
  look.low = kLowDivergence;
  look.high = kHighDivergence;
  look.safeColours = options.text("colours") == "safe";
  return look;
}

Result<FigureSpec> buildAttentionJsd(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const auto results, attentionResults(source, "attention_jsd", options));
  ViolinLook look = jsdLook(options);
  look.occurs = occurringClasses(source, "attention_jsd", options, results, look);
  FigureSpec spec = attentionViolins(results, look);
  const bool map = options.text("form") == "map";
  if (map) drawAsMaps(spec, results, options.text("palette"));
  setSize(spec, options, map ? 0 : violinHeight(results));
  return spec;
}

}  // namespace

FigureEntry attentionJsdFigureEntry() {
  return figureOfAnalysis(
      {.id = "attention_jsd",
       .fields = joinedFields({{choiceField("form", "Form", "Violins over tokens, or a map of their medians.",
                                            {{"violins", "violins"}, {"map", "map"}})},
                               attentionFields(),
                               {mapPaletteField()}}),
       .sentence = Phrase::tr(
           "Divergence between the layers of {attention} · {form} · colours {colours} · maps in {palette}"),
       .build = buildAttentionJsd,
       .detail = [](AnalysisSource& source, const OptionValues& options, const std::string& selection) {
         return attentionDetail(source, "attention_jsd", options, jsdLook(options), selection);
       }});
}

}  // namespace fathom
