// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/attention/attention_violins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/base/errors/error_key.h"
#include "core/base/errors/name_list.h"
#include "core/base/options/field_builder.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_parts.h"
#include "views/figures/probe_fields.h"
#include "views/figures/probe_selection.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"

namespace fathom {

namespace {

constexpr double kViolinMmPerLayer = 8, kViolinMmAround = 16, kViolinLeastMm = 50, kViolinMostMm = 200,
                 kViolinKeyMm = 8;

// Low, middle, high.
using ClassColours = std::array<const char*, 3>;
constexpr ClassColours kSafe = {"#0072B2", "#E69F00", "#D55E00"};
constexpr ClassColours kPaper = {"#1F4FD8", "#E6C300", "#D42020"};

std::string attentionName(const AttentionDistribution& attention) {
  return attention.stack + "." + attention.kind;
}

std::vector<int> headOrder(const std::vector<HeadDistribution>& heads, bool sorted) {
  std::vector<int> order(heads.size());
  std::iota(order.begin(), order.end(), 0);
  if (!sorted) return order;
  std::vector<double> medians;
  for (const HeadDistribution& head : heads) medians.push_back(head.values.median());
  return orderByMedian(medians);
}

GridCell cellOf(const AttentionResult& result, const ViolinLook& look, std::size_t row, std::size_t column,
                int head) {
  const HeadDistribution& drawn = result.attention.heads[row][static_cast<std::size_t>(head)];
  GridCell cell;
  cell.row = static_cast<int>(row);
  cell.column = static_cast<int>(column);
  const double median = drawn.values.median();
  if (std::isfinite(median)) cell.median = median * look.factor;
  for (const double x : drawn.violin.grid) cell.x.push_back(x * look.factor);
  cell.y = drawn.violin.density;
  const ClassColours& colours = look.safeColours ? kSafe : kPaper;
  // Thresholds are of the stored unit, whatever unit is shown.
  cell.colour = colours[colourClass(median, look.low, look.high)];
  cell.selection = probeSelection(result.source.run, result.attention.stack, result.attention.kind) + "/" +
                   headPart(static_cast<int>(row) + result.attention.firstLayer, head);
  return cell;
}

// "3 values are not numbers and left out" where there are such.
std::vector<Phrase> notNumbersWords(const AttentionDistribution& attention) {
  std::int64_t values = 0, heads = 0;
  for (const auto& layer : attention.heads)
    for (const HeadDistribution& head : layer) {
      values += head.values.nonFinite;
      heads += head.values.count == 0 ? 1 : 0;
    }
  std::vector<Phrase> words;
  if (values > 0) words.push_back(Phrase::tr("%1 values are not numbers and left out")(values));
  if (heads > 0) words.push_back(Phrase::tr("%1 heads have no number at all")(heads));
  return words;
}

FigurePanel panelOf(const AttentionResult& result, const ViolinLook& look, double minimum, double maximum) {
  const AttentionDistribution& attention = result.attention;
  std::size_t heads = 0;
  GridMark grid;
  grid.minimum = minimum;
  grid.maximum = maximum;
  grid.thresholds = {look.low * look.factor, look.high * look.factor};
  for (std::size_t row = 0; row < attention.heads.size(); ++row) {
    const std::vector<int> order = headOrder(attention.heads[row], look.sorted);
    heads = std::max(heads, order.size());
    for (std::size_t column = 0; column < order.size(); ++column)
      grid.cells.push_back(cellOf(result, look, row, column, order[column]));
  }
  FigurePanel panel;
  panel.x = numberedAxis(look.sorted ? Phrase::tr("head, sorted by median") : Phrase::tr("head"), heads);
  panel.y = numberedAxis(Phrase::tr("layer"), attention.heads.size(),
                         static_cast<std::size_t>(attention.firstLayer) + 1);
  panel.y.reversed = true;
  panel.legend = LegendPlace::None;
  panel.marks.push_back({.shape = std::move(grid)});
  for (std::size_t row = 0; row < attention.heads.size(); ++row) {
    const std::vector<int> order = headOrder(attention.heads[row], look.sorted);
    for (std::size_t column = 0; column < order.size(); ++column)
      if (attention.heads[row][static_cast<std::size_t>(order[column])].values.count == 0)
        panel.marks.push_back(textMark(static_cast<double>(column), static_cast<double>(row), "NaN"));
  }
  return panel;
}

// The colour of a run along the top of its panel.
FigureMark runBar(const FigurePanel& panel, int look) {
  constexpr double kBarPoints = 5;
  const double top = *panel.y.minimum;  // the axis runs downwards
  FigureMark mark;
  mark.shape = SegmentsMark{{*panel.x.minimum}, {top}, {*panel.x.maximum}, {top}, {}};
  mark.style = seriesStyle(static_cast<std::size_t>(look));
  mark.style.marker = MarkerShape::None;
  mark.style.width = kBarPoints;
  return mark;
}

// Adds the meaning of the colours that occur as chips in a legend.
void addKey(FigurePanel& panel, const ViolinLook& look) {
  const auto number = [&](double value) { return shortValueText(value * look.factor).toStdString(); };
  const bool parts = look.whole > 0;
  const Phrase words[] = {parts ? Phrase::tr("median below ¼ ln <i>T</i> (%1)")(number(look.low))
                                : Phrase::tr("median below %1")(number(look.low)),
                          Phrase::tr("%1 to %2")(number(look.low), number(look.high)),
                          parts ? Phrase::tr("median above ¾ ln <i>T</i> (%1)")(number(look.high))
                                : Phrase::tr("median above %1")(number(look.high))};
  const ClassColours& colours = look.safeColours ? kSafe : kPaper;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    if (!look.occurs[i]) continue;
    FigureMark chip;
    chip.shape = PointsMark{};
    chip.label = words[i];
    chip.style.colour = colours[i];
    chip.style.marker = MarkerShape::Square;
    chip.style.fill = 1;
    panel.marks.push_back(std::move(chip));
  }
  panel.legend = LegendPlace::Below;
}

double largestOf(const AttentionDistribution& attention) {
  double largest = 0;
  for (const auto& heads : attention.heads)
    for (const HeadDistribution& head : heads)
      if (std::isfinite(head.values.fiveNumbers[4])) largest = std::max(largest, head.values.fiveNumbers[4]);
  return largest;
}

double largestValue(const std::vector<AttentionResult>& results) {
  double largest = 0;
  for (const AttentionResult& result : results) largest = std::max(largest, largestOf(result.attention));
  return largest > 0 ? largest : 1;
}

// The smallest value, 0 where none is below.
double smallestOf(const AttentionDistribution& attention) {
  double smallest = 0;
  for (const auto& heads : attention.heads)
    for (const HeadDistribution& head : heads)
      if (std::isfinite(head.values.fiveNumbers[0]))
        smallest = std::min(smallest, head.values.fiveNumbers[0]);
  return smallest;
}

double smallestValue(const std::vector<AttentionResult>& results) {
  double smallest = 0;
  for (const AttentionResult& result : results) smallest = std::min(smallest, smallestOf(result.attention));
  return smallest;
}

// The attentions of `results` at the checkpoints over which the scale goes.
template <typename Take>
void eachOfScale(AnalysisSource& source, const std::string& analysis, const OptionValues& options,
                 const std::vector<AttentionResult>& results, Take&& take) {
  for (const ProbedResult& state : scaleStates(source, analysis, options)) {
    const auto all = distributionsFromJson(state.result);
    if (!all.ok()) continue;
    for (const AttentionDistribution& attention : all->attentions)
      for (const AttentionResult& shown : results)
        if (shown.source.run == state.run && attentionName(attention) == attentionName(shown.attention))
          take(attention);
  }
}

// "layer 1 medians 3.1 to 4.2" of each layer, for readers that do not see the figure.
Phrase summaryOf(const std::vector<AttentionResult>& results, const ViolinLook& look) {
  Phrase text = Phrase::tr("%1 by layer and head.")(look.quantity);
  for (const AttentionResult& result : results) {
    std::vector<Phrase> layers;
    for (std::size_t row = 0; row < result.attention.heads.size(); ++row) {
      std::vector<double> medians;
      for (const HeadDistribution& head : result.attention.heads[row])
        if (std::isfinite(head.values.median())) medians.push_back(head.values.median() * look.factor);
      if (medians.empty()) continue;
      const auto [low, high] = std::minmax_element(medians.begin(), medians.end());
      layers.push_back(Phrase::tr("layer %1 medians %2 to %3")(
          static_cast<int>(row) + result.attention.firstLayer + 1, shortValueText(*low).toStdString(),
          shortValueText(*high).toStdString()));
    }
    const std::string name = result.source.name + ", " + attentionName(result.attention);
    text.append(layers.empty() ? Phrase(name + ".")
                               : Phrase::tr("%1: %2.")(name, Phrase::list(std::move(layers), "; ")));
    if (auto missing = notNumbersWords(result.attention); !missing.empty())
      text.append(Phrase::tr("%1.")(listed(std::move(missing))));
  }
  return text;
}

// Number of tokens of this attention: stacks of one model may read different ones.
std::int64_t tokensOf(const AttentionDistribution& attention) {
  if (attention.heads.empty() || attention.heads.front().empty()) return 0;
  const SampleDistribution& values = attention.heads.front().front().values;
  return values.count + values.nonFinite;
}

Phrase noteOf(const AttentionResult& result) {
  std::vector<Phrase> facts = {attentionName(result.attention),
                               Phrase::tr("checkpoint %1")(result.source.checkpoint),
                               Phrase::tr("%1 tokens")(result.tokens)};
  for (Phrase& words : notNumbersWords(result.attention)) facts.push_back(std::move(words));
  return Phrase::tr("%1: %2.")(result.source.name, listed(std::move(facts)));
}

}  // namespace

Result<std::vector<AttentionResult>> attentionResults(AnalysisSource& source, const std::string& analysis,
                                                      const OptionValues& options) {
  std::vector<AttentionResult> results;
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(ProbedResult probed,
               probedWithMoment(source, run, analysis, options.text("checkpoint"), options));
    FATHOM_TRY(AttentionDistributions all, distributionsFromJson(probed.result));
    FATHOM_TRY(const std::size_t index, chosenAmong(all.attentions, attentionName, options, "attention",
                                                    Phrase::tr("run %1 has no attention '%2'"), probed.name));
    const std::int64_t tokens = tokensOf(all.attentions[index]);
    results.push_back({probed, std::move(all.attentions[index]), tokens, source.colourOf(run)});
  }
  if (results.empty()) return noRunChosen();
  return results;
}

double largestOfAll(AnalysisSource& source, const std::string& analysis, const OptionValues& options,
                    const std::vector<AttentionResult>& results) {
  double largest = 0;
  eachOfScale(source, analysis, options, results, [&](const AttentionDistribution& attention) {
    largest = std::max(largest, largestOf(attention));
  });
  return largest > largestValue(results) ? largest : 0;
}

double largestShown(const std::vector<AttentionResult>& results) {
  return largestValue(results);
}

std::array<bool, 3> occurringClasses(AnalysisSource& source, const std::string& analysis,
                                     const OptionValues& options, const std::vector<AttentionResult>& results,
                                     const ViolinLook& look) {
  std::array<bool, 3> occurs = {};
  const auto note = [&](const AttentionDistribution& attention) {
    for (const auto& heads : attention.heads)
      for (const HeadDistribution& head : heads)
        if (std::isfinite(head.values.median()))
          occurs[static_cast<std::size_t>(colourClass(head.values.median(), look.low, look.high))] = true;
  };
  for (const AttentionResult& result : results) note(result.attention);
  if (options.schema().find("scale") != nullptr) eachOfScale(source, analysis, options, results, note);
  return occurs;
}

double smallestOfAll(AnalysisSource& source, const std::string& analysis, const OptionValues& options,
                     const std::vector<AttentionResult>& results) {
  double smallest = 0;
  eachOfScale(source, analysis, options, results, [&](const AttentionDistribution& attention) {
    smallest = std::min(smallest, smallestOf(attention));
  });
  return smallest;
}

FigureSpec attentionViolins(const std::vector<AttentionResult>& results, const ViolinLook& look) {
  FigureSpec spec;
  spec.title = look.quantity;
  spec.summary = summaryOf(results, look);
  const double maximum = look.maximum > 0 ? look.maximum : largestValue(results) * look.factor;
  const double minimum = look.below ? std::min(look.minimum, smallestValue(results) * look.factor) : 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    FigurePanel panel = panelOf(results[i], look, minimum, maximum);
    const std::size_t columns = panelColumns(results.size());
    // Panels of a row with as many layers share the scale: it stands at the row's end.
    const std::size_t end = std::min(i - i % columns + columns, results.size()) - 1;
    if (i == end || results[i].attention.heads.size() != results[end].attention.heads.size())
      std::get<GridMark>(panel.marks.front().shape).axis = look.axis;
    panel.row = static_cast<int>(i / columns);
    panel.column = static_cast<int>(i % columns);
    if (results.size() > 1) {
      panel.title = markupOf(results[i].source.name);
      panel.marks.push_back(runBar(panel, results[i].look));
    }
    if (panel.column == 0 && i + columns >= results.size()) addKey(panel, look);  // below the last row
    spec.panels.push_back(std::move(panel));
  }
  const auto number = [&](double value) { return shortValueText(value * look.factor).toStdString(); };
  const Phrase colours =
      look.safeColours ? Phrase::tr("blue, orange and vermilion") : Phrase::tr("blue, yellow and red");
  const std::string most = shortValueText(maximum).toStdString();
  if (minimum < 0)
    spec.notes.push_back(
        Phrase::tr("%1, %2 to %3 upwards in every cell; thin rules at %4 and %5; %6: the median lies below, "
                   "between or above them.")(look.quantity, shortValueText(minimum).toStdString(), most,
                                             number(look.low), number(look.high), colours));
  else
    spec.notes.push_back(Phrase::tr(
        "%1, 0 to %2 upwards in every cell; thin rules at %3 and %4; %5: the median lies below, "
        "between or above them.")(look.quantity, most, number(look.low), number(look.high), colours));
  for (const AttentionResult& result : results) spec.notes.push_back(noteOf(result));
  return spec;
}

double violinHeight(const std::vector<AttentionResult>& results) {
  std::size_t layers = 0;
  for (const AttentionResult& result : results) layers = std::max(layers, result.attention.heads.size());
  const std::size_t columns = panelColumns(results.size());
  const auto rows = static_cast<double>((results.size() + columns - 1) / columns);
  const double row =
      std::max(kViolinMmPerLayer * static_cast<double>(layers) + kViolinMmAround, kViolinLeastMm);
  return std::min(rows * row + kViolinKeyMm, kViolinMostMm);
}

std::vector<OptionField> attentionFields() {
  std::vector<OptionField> fields = {
      checkpointField(), computedField(),
      typedField(
          "attention", "Attention",
          "encoder.self_attention, decoder.self_attention, decoder.cross_attention or extra.self_attention; "
          "empty: the extra layers, else the first."),
      choiceField("colours", "Colours", "Safe for colour-blind readers, or those of the paper.",
                  {{"safe", "colour-blind safe"}, {"paper", "as in the paper"}})};
  addFields(fields, sizeFields("0: the style's width, and a height that suits the number of layers."));
  return fields;
}

}  // namespace fathom
