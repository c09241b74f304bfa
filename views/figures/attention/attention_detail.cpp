// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/attention/attention_detail.h"

#include <algorithm>
#include <cmath>

#include "core/record/runs/checkpoint_choice.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_parts.h"
#include "views/figures/probe_fields.h"
#include "views/figures/probe_selection.h"

namespace fathom {

namespace {

const HeadDistribution* headAt(const AttentionDistribution& attention, const ChosenHead& place) {
  const int row = place.layer - attention.firstLayer;
  if (row < 0 || row >= static_cast<int>(attention.heads.size())) return nullptr;
  const auto& heads = attention.heads[static_cast<std::size_t>(row)];
  if (place.head >= static_cast<int>(heads.size())) return nullptr;
  return &heads[static_cast<std::size_t>(place.head)];
}

FigureMark violinOf(const HeadDistribution& head, std::size_t index, int colour, double factor) {
  ViolinMark violin;
  violin.position = static_cast<double>(index);
  for (const double x : head.violin.grid) violin.grid.push_back(x * factor);
  violin.density = head.violin.density;
  violin.quartile1 = head.values.fiveNumbers[1] * factor;
  violin.median = head.values.median() * factor;
  violin.quartile3 = head.values.fiveNumbers[3] * factor;
  FigureMark mark;
  mark.style.colour = seriesStyle(static_cast<std::size_t>(colour)).colour;
  mark.style.fill = 0.35;
  mark.shape = std::move(violin);
  return mark;
}

void addRules(FigurePanel& panel, const ViolinLook& look) {
  for (const double value : {look.low, look.high}) {
    FigureMark rule;
    rule.style.colour = "separator";
    rule.shape = RuleMark{value * look.factor, false};
    panel.marks.push_back(std::move(rule));
  }
}

FigurePanel violinPanel(const AnalysisSource& source, const std::vector<AttentionResult>& results,
                        const ChosenHead& place, const ViolinLook& look) {
  FigurePanel panel;
  std::vector<std::string> names;
  for (const AttentionResult& result : results) names.push_back(result.source.name);
  panel.x = categoryAxis(names);
  panel.y.label = look.axis;
  // Names below a narrow violin would stand upright and be cut: those of several runs are whole in a legend.
  const bool several = results.size() > 1;
  panel.legend = several ? LegendPlace::Below : LegendPlace::None;
  if (several) panel.x.tickLabels = "none";
  addRules(panel, look);
  // The rules may lie far from what is shown: they do not stretch the range.
  double largest = 0, smallest = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const HeadDistribution* head = headAt(results[i].attention, place);
    if (head == nullptr) continue;
    panel.marks.push_back(violinOf(*head, i, source.colourOf(results[i].source.run), look.factor));
    if (several) panel.marks.back().label = markupOf(results[i].source.name);
    if (std::isfinite(head->values.fiveNumbers[4]))
      largest = std::max(largest, head->values.fiveNumbers[4] * look.factor);
    if (look.below && std::isfinite(head->values.fiveNumbers[0]))
      smallest = std::min(smallest, head->values.fiveNumbers[0] * look.factor);
  }
  panel.y.minimum = smallest * 1.05;
  panel.y.maximum = std::max(largest, 1e-9) * 1.05;
  return panel;
}

// Median and quartiles of one run over the checkpoints that have results. Returns the largest value there.
double addCourse(FigurePanel& panel, const std::vector<ProbedResult>& states, const AttentionResult& shown,
                 const ChosenHead& place, const ViolinLook& look, int colour) {
  LineMark line;
  BandMark band;
  double largest = 0;
  for (const ProbedResult& state : states) {
    const auto step = checkpointStep(state.checkpoint);
    const auto all = distributionsFromJson(state.result);
    if (!step || !all.ok()) continue;
    for (const AttentionDistribution& attention : all->attentions) {
      if (attention.stack != shown.attention.stack || attention.kind != shown.attention.kind) continue;
      const HeadDistribution* head = headAt(attention, place);
      if (head == nullptr) continue;
      line.x.push_back(static_cast<double>(*step));
      line.y.push_back(head->values.median() * look.factor);
      band.lower.push_back(head->values.fiveNumbers[1] * look.factor);
      band.upper.push_back(head->values.fiveNumbers[3] * look.factor);
      if (std::isfinite(head->values.fiveNumbers[4]))
        largest = std::max(largest, head->values.fiveNumbers[4] * look.factor);
    }
  }
  band.x = line.x;
  FigureMark quartiles;
  quartiles.style.colour = seriesStyle(static_cast<std::size_t>(colour)).colour;
  quartiles.style.fill = 0.18;
  quartiles.shape = std::move(band);
  FigureMark median;
  median.label = markupOf(shown.source.name);
  median.style.colour = seriesStyle(static_cast<std::size_t>(colour)).colour;
  median.style.marker = MarkerShape::Disc;
  median.shape = std::move(line);
  panel.marks.push_back(std::move(quartiles));
  panel.marks.push_back(std::move(median));
  return largest;
}

}  // namespace

Result<FigureSpec> attentionDetail(AnalysisSource& source, const std::string& analysis,
                                   const OptionValues& options, const ViolinLook& look,
                                   const std::string& selection) {
  FATHOM_TRY(const ChosenHead place, chosenHead(selection));
  FATHOM_TRY(const auto results, attentionResults(source, analysis, options));
  FigureSpec spec;
  const Phrase head = headWords(place.layer, place.head);
  spec.title = Phrase::tr("%1, %2")(look.quantity, head);
  spec.summary = Phrase::tr("%1.")(Phrase(spec.title));
  for (const AttentionResult& result : results) {
    const HeadDistribution* found = headAt(result.attention, place);
    if (found == nullptr) continue;
    const auto number = [&](double value) { return shortValueText(value * look.factor).toStdString(); };
    Phrase words = Phrase::tr("%1: median %2, quartiles %3 and %4, mean %5, %6 tokens")(
        result.source.name, number(found->values.median()), number(found->values.fiveNumbers[1]),
        number(found->values.fiveNumbers[3]), number(found->values.mean), found->values.count);
    if (found->values.nonFinite > 0)
      words.append(Phrase::tr("%1 not numbers")(found->values.nonFinite), ", ");
    spec.summary.append(Phrase::tr("%1.")(std::move(words)));
  }
  FigurePanel violins = violinPanel(source, results, place, look);
  violins.title = head;
  if (violins.marks.size() <= 2) return usageError(Phrase::tr("no run has a %1")(head));
  FigurePanel course;
  course.row = 1;
  course.x.label = Phrase::tr("updates");
  course.x.whole = true;
  course.y.label = Phrase::tr("median, quartiles");
  if (!look.below) course.y.minimum = 0;
  course.legend = LegendPlace::None;  // that of the violins, in the same colours, stands above
  double largest = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto states = probedStates(source, results[i].source.run, analysis, options);
    largest = std::max(
        largest, addCourse(course, states, results[i], place, look, source.colourOf(results[i].source.run)));
  }
  // The same axis at every checkpoint.
  violins.y.maximum = std::max(*violins.y.maximum, largest * 1.05);
  const bool several = std::any_of(course.marks.begin(), course.marks.end(), [](const FigureMark& mark) {
    const auto* line = std::get_if<LineMark>(&mark.shape);
    return line != nullptr && line->x.size() > 1;
  });
  spec.panels.push_back(std::move(violins));
  if (several) spec.panels.push_back(std::move(course));
  return spec;
}

}  // namespace fathom
