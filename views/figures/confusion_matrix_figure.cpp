// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "core/base/options/field_builder.h"
#include "core/review/class_scores.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

constexpr std::size_t kMostClasses = 20;

// The classes that are drawn, those with most examples, in the order of the labels.
std::vector<std::size_t> drawnClasses(const ReviewGold& gold) {
  std::vector<std::size_t> counts(gold.labels.size(), 0), order(gold.labels.size());
  for (const ReviewExample& example : gold.examples) ++counts[static_cast<std::size_t>(example.label)];
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&counts](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  if (order.size() > kMostClasses) order.resize(kMostClasses);
  std::sort(order.begin(), order.end());
  return order;
}

FigureMark cellMark(double x, double y, double share, bool right, std::string selection) {
  FigureMark mark;
  mark.shape = PolygonMark{{x - 0.5, x + 0.5, x + 0.5, x - 0.5}, {y - 0.5, y - 0.5, y + 0.5, y + 0.5}};
  mark.style.colour = right ? "series:0" : "series:1";
  mark.style.fill = 0.08 + 0.7 * share;
  mark.style.width = 0.25;
  mark.selection = std::move(selection);
  return mark;
}

Result<ReviewFigure> buildConfusionMatrix(const ReviewFigureInput& input, const OptionValues& options) {
  const ReviewGold& gold = input.review.gold;
  if (gold.labels.empty()) return usageError(Phrase::tr("a confusion matrix needs classes"));
  const ReviewModel& model = input.review.models[systemOf(input, options)];
  const ClassCounts counts = countClasses(gold, model);
  const std::vector<std::size_t> classes = drawnClasses(gold);
  ReviewFigure figure;
  figure.spec.title = Phrase::tr("Confusion matrix of %1")(model.name);
  figure.table.columns = {{QT_TRANSLATE_NOOP("Command", "gold / predicted")}};
  FigurePanel panel;
  panel.legend = LegendPlace::None;
  panel.title = markupOf(model.name);
  std::vector<std::string> names;
  for (const std::size_t each : classes) names.push_back(gold.labels[each]);
  panel.x = categoryAxis(names, Phrase::tr("predicted"));
  panel.y = categoryAxis(names, Phrase::tr("gold"));
  panel.y.reversed = true;
  for (const std::string& name : names) figure.table.columns.push_back({markupOf(name), 0});
  for (std::size_t r = 0; r < classes.size(); ++r) {
    auto& row = figure.table.rows.emplace_back();
    row.emplace_back(markupOf(names[r]));
    std::int64_t total = 0;
    for (std::size_t c = 0; c <= counts.classes; ++c) total += counts.at(classes[r], c);
    std::vector<std::string>& cells = figure.cells.emplace_back(1);  // the class has no number
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const std::int64_t count = counts.at(classes[r], classes[c]);
      row.emplace_back(double(count));
      std::vector<std::size_t> examples;
      for (std::size_t i = 0; i < gold.examples.size() && count > 0; ++i)
        if (gold.examples[i].label == static_cast<int>(classes[r]) &&
            model.outputs[i].label == static_cast<int>(classes[c]))
          examples.push_back(i);
      const double share = total == 0 ? 0 : double(count) / double(total);
      const std::string selection = selectionOfExamples(model.name, examples);
      cells.push_back(selection);
      panel.marks.push_back(cellMark(double(c), double(r), share, r == c, selection));
      panel.marks.push_back(textMark(double(c), double(r), std::to_string(count)));
    }
    figure.spec.summary.append(
        Phrase::tr("%1: %2 of %3 right.")(names[r], counts.at(classes[r], classes[r]), total));
  }
  if (classes.size() < gold.labels.size())
    figure.spec.notes.push_back(
        Phrase::tr("%1 rarer classes are not shown.")(gold.labels.size() - classes.size()));
  if (model.missing > 0)
    figure.spec.notes.push_back(Phrase::tr("%1 examples without a prediction are not shown.")(model.missing));
  figure.spec.panels = {std::move(panel)};
  setSize(figure.spec, options, 30 + 7 * double(classes.size()));
  return figure;
}

}  // namespace

FigureEntry confusionMatrixFigureEntry() {
  return {.id = "confusion_matrix",
          .title = "Confusion matrix",
          .fields = joinedFields({{systemField()}, sizeFields()}),
          .buildReview = buildConfusionMatrix};
}

}  // namespace fathom
