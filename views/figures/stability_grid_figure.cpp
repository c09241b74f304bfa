// SPDX-License-Identifier: GPL-3.0-or-later
// Runs by two options: a score in every cell, or "diverged" (Admin Fig 10; docs/analyses.md §9).
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/analysis/training/stability_grid.h"
#include "core/base/errors/name_list.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/number_text.h"
#include "core/library/runs/metric_catalogue.h"
#include "core/library/runs/short_names.h"
#include "views/figure/figure_colours.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/option_titles.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"
#include "views/figures/training_curve_figure.h"

namespace fathom {

namespace {

constexpr double kGridRowMm = 13, kGridAroundMm = 22;
constexpr double kLineOffset = 0.17;  // of a cell, for two lines of text

std::string fixed(double value) {
  return formatted(std::abs(value) < 10 ? "%.2f" : "%.1f", value);
}

// "27.1 ± 0.3", "diverged", "failed", "open", "–".
Phrase headline(const StabilityCell& cell) {
  const SeedSummary& seeds = cell.summary;
  if (seeds.finished > 1) return Phrase::words(fixed(seeds.mean) + " ± " + fixed(seeds.deviation));
  if (seeds.finished == 1) return Phrase::words(fixed(seeds.mean));
  if (seeds.runs == 0) return cell.open > 0 ? Phrase(Phrase::tr("open")) : Phrase::words("–");
  return cell.diverged > 0 ? Phrase::tr("diverged") : Phrase::tr("failed");
}

// "failed 1/3, 1 open"; empty where there is nothing to add.
Phrase remark(const StabilityCell& cell) {
  const SeedSummary& seeds = cell.summary;
  std::vector<Phrase> parts;
  if (seeds.failed() > 0 && seeds.runs > 1)
    parts.push_back(Phrase::tr("failed %1/%2")(seeds.failed(), seeds.runs));
  if (cell.open > 0 && seeds.runs > 0) parts.push_back(Phrase::tr("%1 open")(cell.open));
  return Phrase::list(std::move(parts), ", ");
}

// Black or white, whatever is easier to read on the colour of the cell.
std::string inkOn(const CellsMark& cells, double value) {
  if (!std::isfinite(value)) return "#000000";
  const double span = *cells.maximum - *cells.minimum;
  const QColor ground = mapColour(ColourMap::Viridis, span > 0 ? (value - *cells.minimum) / span : 0.5);
  return contrastRatio(ground, Qt::white) > contrastRatio(ground, Qt::black) ? "#FFFFFF" : "#000000";
}

// No run has these two values, not even one that waits: nothing is there.
bool isEmpty(const StabilityCell& cell) {
  return cell.summary.runs == 0 && cell.open == 0;
}

CellsMark cellsOf(const StabilityGrid& grid) {
  CellsMark cells;
  cells.rows = static_cast<int>(grid.yValues.size());
  cells.columns = static_cast<int>(grid.xValues.size());
  for (const StabilityCell& cell : grid.cells) {
    cells.values.push_back(cell.summary.finished > 0 ? cell.summary.mean : std::nan(""));
    cells.shown += isEmpty(cell) ? '.' : '#';
  }
  if (cells.shown.find('.') == std::string::npos) cells.shown.clear();
  ValueRange range;
  range.add(cells.values);
  const ColourLimits limits = range.any() ? colourLimits(range.low, range.high) : colourLimits(0, 0);
  cells.minimum = limits.minimum;
  cells.maximum = limits.maximum;
  return cells;
}

Phrase axisLabel(const StabilityRequest& request, const std::string& key) {
  return optionLabel(key, {request.x, request.y});
}

// Values of a choice by their titles.
FigureAxis optionAxis(const StabilityRequest& request, const std::string& key,
                      const std::vector<std::string>& values) {
  const auto titles = optionTitles();
  const OptionField* field = titles->find(key);
  std::vector<Phrase> words;
  for (const std::string& value : values) {
    Phrase word = Phrase::words(markupOf(value));
    if (field != nullptr)
      for (const OptionChoice& choice : field->choices)
        if (choice.id == value && !choice.title.empty()) word = Phrase::known(markupOf(choice.title));
    words.push_back(std::move(word));
  }
  return wordAxis(std::move(words), axisLabel(request, key));
}

FigurePanel panelOf(const StabilityGrid& grid) {
  FigurePanel panel;
  panel.x = optionAxis(grid.request, grid.request.x, grid.xValues);
  panel.y = optionAxis(grid.request, grid.request.y, grid.yValues);
  panel.legend = LegendPlace::None;
  CellsMark cells = cellsOf(grid);
  ColourBar bar;
  bar.minimum = *cells.minimum;
  bar.maximum = *cells.maximum;
  // Cells without a score say why: none is counted as missing.
  bar.label = metricLabel(MetricCatalogue().of(grid.request.metric));
  panel.bars = {bar};
  std::vector<FigureMark> texts;
  for (std::size_t y = 0; y < grid.yValues.size(); ++y) {
    for (std::size_t x = 0; x < grid.xValues.size(); ++x) {
      const StabilityCell& cell = grid.at(y, x);
      if (isEmpty(cell)) continue;
      const std::string ink = inkOn(cells, cells.values[y * grid.xValues.size() + x]);
      const Phrase below = remark(cell);
      const auto row = static_cast<double>(y);
      const auto column = static_cast<double>(x);
      texts.push_back(phraseMark(column, below.empty() ? row : row + kLineOffset, headline(cell)));
      texts.back().style.colour = ink;
      if (below.empty()) continue;
      texts.push_back(phraseMark(column, row - kLineOffset, below));
      texts.back().style.colour = ink;
    }
  }
  panel.marks.push_back({.shape = std::move(cells)});
  for (FigureMark& text : texts) panel.marks.push_back(std::move(text));
  return panel;
}

Phrase summaryOf(const StabilityGrid& grid) {
  Phrase text = Phrase::tr("%1 by %2 and %3.")(metricLabel(MetricCatalogue().of(grid.request.metric)),
                                               axisLabel(grid.request, grid.request.y),
                                               axisLabel(grid.request, grid.request.x));
  for (std::size_t y = 0; y < grid.yValues.size(); ++y)
    for (std::size_t x = 0; x < grid.xValues.size(); ++x) {
      std::vector<Phrase> said = {headline(grid.at(y, x))};
      if (Phrase more = remark(grid.at(y, x)); !more.empty()) said.push_back(std::move(more));
      text.append(
          Phrase::tr("%1, %2: %3.")(grid.yValues[y], grid.xValues[x], Phrase::list(std::move(said), ", ")));
    }
  return text;
}

std::vector<Phrase> notesOf(const StabilityGrid& grid) {
  std::vector<Phrase> notes = {grid.request.best
                                   ? Phrase::tr("Best value of each run; of several runs mean ± standard "
                                                "deviation of those that did not fail.")
                                   : Phrase::tr("Last value of each run; of several runs mean ± standard "
                                                "deviation of those that did not fail.")};
  int failed = 0, runs = 0;
  for (const StabilityCell& cell : grid.cells) {
    failed += cell.summary.failed();
    runs += cell.summary.runs;
  }
  notes.push_back(Phrase::tr("failed %1/%2.")(failed, runs));
  if (grid.alsoDiffer.empty()) return notes;
  std::vector<std::string> titles;
  for (const std::string& key : grid.alsoDiffer) {
    const std::string title = optionTitle(key);
    const auto same =
        std::count_if(grid.alsoDiffer.begin(), grid.alsoDiffer.end(),
                      [&title](const std::string& other) { return optionTitle(other) == title; });
    titles.push_back(same > 1 && title != key ? title + " (" + key + ")" : title);
  }
  notes.push_back(
      Phrase::tr("The runs differ in %1 too; runs of one cell are averaged over them.")(nameList(titles)));
  return notes;
}

Result<FigureSpec> buildStabilityGrid(AnalysisSource& source, const OptionValues& options) {
  std::vector<RunFacts> runs;
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(RunFacts facts, source.facts(run));
    runs.push_back(std::move(facts));
  }
  StabilityRequest request{options.text("x"), options.text("y"), options.text("metric"),
                           options.text("score") == "best"};
  if (request.metric.empty()) request.metric = MetricCatalogue().leading(stabilityMetrics(runs));
  FATHOM_TRY(const StabilityGrid grid, computeStabilityGrid(runs, request));
  FigureSpec spec;
  spec.title = Phrase::tr("Stability grid");
  spec.summary = summaryOf(grid);
  spec.notes = notesOf(grid);
  spec.panels.push_back(panelOf(grid));
  setSize(spec, options, kGridRowMm * static_cast<double>(grid.yValues.size()) + kGridAroundMm);
  return spec;
}

}  // namespace

FigureEntry stabilityGridFigureEntry() {
  const StabilityRequest standard;
  return {.id = "stability_grid",
          .title = "Stability grid",
          .reference = "Admin, Figure 10",
          .fields = joinedFields(
              {{typedField("x", "Across", "Option whose values are the columns.", standard.x.c_str()),
                typedField("y", "Upwards", "Option whose values are the rows.", standard.y.c_str()),
                typedField("metric", "Metric",
                           "Score in the cells, such as valid.bleu or valid.nll; empty: the one that says "
                           "most about the runs."),
                choiceField("score", "Score", "Best value of a run, or the one at its end.",
                            {{"best", "best"}, {"last", "last"}})},
               sizeFields()}),
          .sentence = Phrase::tr("{metric} of every run, {score} · across {x} · upwards {y}"),
          .build = buildStabilityGrid,
          .ofOptions = true};
}

}  // namespace fathom
