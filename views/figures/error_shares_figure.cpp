// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/base/numbers/not_a_number.h"
#include "core/base/options/field_builder.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

constexpr double kShareBarWidth = 0.36;

struct ExampleSet {
  const char* title;
  std::vector<std::size_t> examples;
};

// The examples of the set that count for a model.
std::vector<std::size_t> countedOf(const std::vector<std::vector<ErrorCategory>>& categories,
                                   std::size_t model, const ExampleSet& set, FalseNegativeRule rule) {
  std::vector<std::size_t> examples;
  for (const std::size_t e : set.examples) {
    const auto isFalseNegative = [e](const std::vector<ErrorCategory>& each) {
      return each[e] == ErrorCategory::FalseNegative;
    };
    const bool removed = rule == FalseNegativeRule::ThatModel
                             ? isFalseNegative(categories[model])
                             : std::any_of(categories.begin(), categories.end(), isFalseNegative);
    if (!removed) examples.push_back(e);
  }
  return examples;
}

// The examples that a bar of the model counts.
std::vector<std::size_t> inBar(const std::vector<ErrorCategory>& categories,
                               const std::vector<std::size_t>& counted, bool sketch) {
  std::vector<std::size_t> examples;
  for (const std::size_t e : counted)
    if (categories[e] == ErrorCategory::Both ||
        categories[e] == (sketch ? ErrorCategory::Sketch : ErrorCategory::Column))
      examples.push_back(e);
  return examples;
}

// Column and sketch bars of every model over one set, with the share above each.
FigurePanel sharesPanel(const ReviewFigureInput& input, const ExampleSet& set,
                        const std::vector<ErrorBar>& bars, const CellSelections& selections) {
  FigurePanel panel;
  panel.title = Phrase::tr("%1 (<i>n</i> = %2)")(Phrase::known(set.title), set.examples.size());
  panel.x = modelAxis(input.review);
  panel.y.label = Phrase::tr("share (%)");
  panel.y.minimum = 0;
  panel.y.maximum = 100;
  for (std::size_t m = 0; m < bars.size(); ++m) {
    const double at = static_cast<double>(m);
    for (const bool sketch : {false, true}) {
      const double share = 100 * (sketch ? bars[m].sketchShare() : bars[m].columnShare());
      const double x = at + (sketch ? 0.5 : -0.5) * kShareBarWidth;
      const char* category = sketch ? "sketch" : "column";
      FigureMark mark = barsMark({x}, {share}, kShareBarWidth, std::string("category:") + category);
      if (m == 0) mark.label = sketch ? Phrase::tr("sketch error") : Phrase::tr("column error");
      mark.selection = selections[m][sketch ? 1 : 0];
      panel.marks.push_back(std::move(mark));
      if (bars[m].examples == 0) continue;  // of nothing there is no share
      panel.marks.push_back(
          textMark(x, std::min(share + 4, 97.0), std::to_string(static_cast<int>(std::lround(share)))));
    }
  }
  panel.legend = LegendPlace::Below;
  return panel;
}

Result<ReviewFigure> buildErrorShares(const ReviewFigureInput& input, const OptionValues& options) {
  const FalseNegativeRule rule = options.text("false_negatives") == "any_model"
                                     ? FalseNegativeRule::AnyModel
                                     : FalseNegativeRule::ThatModel;
  const std::string wanted = options.text("set");
  const auto categories = errorCategories(input.categories);
  std::vector<ExampleSet> sets;
  if (wanted != "any")
    sets.push_back({QT_TRANSLATE_NOOP("TableWord", "Wrong in every model"), failingInAll(categories)});
  if (wanted != "all")
    sets.push_back({QT_TRANSLATE_NOOP("TableWord", "Wrong in some model"), failingInAny(categories)});
  ReviewFigure figure;
  figure.spec.title = Phrase::tr("Column and sketch errors");
  figure.table.columns = {{QT_TRANSLATE_NOOP("Command", "set")},
                          {QT_TRANSLATE_NOOP("Command", "model")},
                          {QT_TRANSLATE_NOOP("Command", "examples"), 0},
                          {QT_TRANSLATE_NOOP("Command", "column"), 0},
                          {QT_TRANSLATE_NOOP("Command", "sketch"), 0},
                          {QT_TRANSLATE_NOOP("Command", "column share"), 4},
                          {QT_TRANSLATE_NOOP("Command", "sketch share"), 4}};
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto bars = errorBars(categories, sets[s].examples, rule);
    CellSelections counted;  // by model: column, sketch, all
    for (std::size_t m = 0; m < bars.size(); ++m) {
      const std::string& name = input.review.models[m].name;
      const auto all = countedOf(categories, m, sets[s], rule);
      auto& parts = counted.emplace_back();
      for (const bool sketch : {false, true})
        parts.push_back(selectionOfExamples(name, inBar(categories[m], all, sketch)));
      parts.push_back(selectionOfExamples(name, all));
    }
    FigurePanel panel = sharesPanel(input, sets[s], bars, counted);
    panel.row = static_cast<int>(s);
    if (s + 1 < sets.size()) panel.legend = LegendPlace::None;
    figure.spec.panels.push_back(std::move(panel));
    figure.spec.summary.append(Phrase::tr("%1:")(Phrase::known(sets[s].title)));
    for (std::size_t m = 0; m < bars.size(); ++m) {
      const auto& model = input.review.models[m];
      figure.table.rows.push_back({std::string(sets[s].title), modelLabel(model), double(bars[m].examples),
                                   double(bars[m].column), double(bars[m].sketch),
                                   bars[m].examples > 0 ? bars[m].columnShare() : kNaN,
                                   bars[m].examples > 0 ? bars[m].sketchShare() : kNaN});
      figure.lastRowLeadsTo(counted[m][2]);
      for (const auto column : {std::size_t{3}, std::size_t{5}}) figure.cells.back()[column] = counted[m][0];
      for (const auto column : {std::size_t{4}, std::size_t{6}}) figure.cells.back()[column] = counted[m][1];
      figure.spec.summary.append(Phrase::tr("%1 column %2, sketch %3 of %4.")(
          model.name, bars[m].column, bars[m].sketch, bars[m].examples));
    }
  }
  figure.spec.notes = {
      rule == FalseNegativeRule::ThatModel
          ? Phrase::tr("An example that is a false negative for a model is left out for that model.")
          : Phrase::tr("An example that is a false negative for any model is left out for all.")};
  setSize(figure.spec, options, 48 * static_cast<double>(sets.size()) + 8);
  return figure;
}

}  // namespace

FigureEntry errorSharesFigureEntry() {
  return {.id = "error_shares",
          .title = "Column and sketch errors",
          .reference = "DT-Fixup, Figures 3 and 4",
          .fields = joinedFields(
              {{choiceField("set", "Examples",
                            "Examples that every model fails, that some model fails, or both in turn.",
                            {{"both", "both"}, {"all", "wrong in every model"}, {"any", "wrong in some"}}),
                choiceField("false_negatives", "False negatives",
                            "Which examples leave the count: a model's own false negatives, or any model's.",
                            {{"that_model", "of that model"}, {"any_model", "of any model"}})},
               sizeFields()}),
          .buildReview = buildErrorShares};
}

}  // namespace fathom
