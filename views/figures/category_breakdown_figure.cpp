// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/options/field_builder.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

struct Part {
  ErrorCategory category;
  int CategoryCounts::*count;
  Phrase::Text label;
};
constexpr Part kParts[] = {
    {ErrorCategory::FalseNegative, &CategoryCounts::falseNegative, Phrase::tr("false negative")},
    {ErrorCategory::Column, &CategoryCounts::column, Phrase::tr("column")},
    {ErrorCategory::Sketch, &CategoryCounts::sketch, Phrase::tr("sketch")},
    {ErrorCategory::Both, &CategoryCounts::both, Phrase::tr("both")}};

// One bar of a panel: a model, or a level of hardness of one model.
struct Bar {
  std::string label, model;
  CategoryCounts counts;
};

// Parts lie on top of each other; `share` makes every bar 100 %.
void addBars(FigurePanel& panel, const std::vector<Bar>& bars, bool share, bool labelled) {
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const int wrong = bars[b].counts.wrong();
    const double unit = !share ? 1 : wrong == 0 ? 0 : 100.0 / wrong;
    double base = 0;
    for (const Part& part : kParts) {
      const int count = bars[b].counts.*part.count;
      FigureMark mark = barsMark({static_cast<double>(b)}, {base + unit * count}, 0.68,
                                 std::string("category:") + errorCategoryId(part.category));
      std::get<BarsMark>(mark.shape).base = base;
      if (b == 0 && labelled) mark.label = part.label;
      mark.selection = reviewSelection(bars[b].model, errorCategoryId(part.category));
      base += unit * count;
      panel.marks.push_back(std::move(mark));
    }
  }
}

void addRow(ReviewFigure& figure, const Bar& bar, const std::string& model, const std::string& level) {
  figure.table.rows.push_back({model, level, double(bar.counts.falseNegative), double(bar.counts.column),
                               double(bar.counts.sketch), double(bar.counts.both),
                               double(bar.counts.wrong())});
  figure.spec.summary.append(Phrase::tr("%1, %2: false negative %3, column %4, sketch %5, both %6.")(
      bar.model, level, bar.counts.falseNegative, bar.counts.column, bar.counts.sketch, bar.counts.both));
}

void setAxisY(FigurePanel& panel, bool share) {
  panel.y.label = share ? Phrase::tr("wrong predictions (%)") : Phrase::tr("wrong predictions");
  panel.y.minimum = 0;
  if (share) panel.y.maximum = 100;
}

void buildByModel(const ReviewFigureInput& input, bool share, ReviewFigure& figure) {
  FigurePanel panel;
  panel.x = modelAxis(input.review);
  panel.legend = LegendPlace::Below;
  setAxisY(panel, share);
  std::vector<Bar> bars;
  for (std::size_t m = 0; m < input.categories.size(); ++m) {
    const ReviewModel& model = input.review.models[m];
    bars.push_back({modelLabel(model), model.name, countCategories(input.categories[m])});
    addRow(figure, bars.back(), modelLabel(model), "all");
  }
  addBars(panel, bars, share, true);
  if (panel.x.scale == AxisScale::Token) {  // the foot belongs to the long names: room for the legend above
    double most = 0;
    for (const Bar& bar : bars) most = std::max(most, static_cast<double>(bar.counts.wrong()));
    panel.legend = LegendPlace::Inside;
    panel.y.maximum = 1.5 * (share ? 100 : std::max(most, 1.0));
    if (share) panel.y.ticks = {0, 20, 40, 60, 80, 100};
  }
  figure.spec.panels.push_back(std::move(panel));
}

void buildByHardness(const ReviewFigureInput& input, bool share, ReviewFigure& figure) {
  const auto hardness = exampleHardness(input.review);
  for (std::size_t m = 0; m < input.categories.size(); ++m) {
    const ReviewModel& model = input.review.models[m];
    FigurePanel panel;
    panel.title = modelLabel(model);
    panel.row = static_cast<int>(m);
    panel.x = hardnessAxis(kHardnessLevels);
    setAxisY(panel, share);
    panel.legend = m + 1 == input.categories.size() ? LegendPlace::Below : LegendPlace::None;
    const auto counts = countsByHardness(input.categories[m], hardness);
    std::vector<Bar> bars;
    for (std::size_t level = 0; level < kHardnessLevels; ++level) {
      bars.push_back({hardnessLabels()[level], model.name, counts[level]});
      addRow(figure, bars.back(), modelLabel(model), hardnessLabels()[level]);
    }
    addBars(panel, bars, share, true);
    figure.spec.panels.push_back(std::move(panel));
  }
}

Result<ReviewFigure> buildCategoryBreakdown(const ReviewFigureInput& input, const OptionValues& options) {
  const bool share = options.text("unit") == "share";
  const bool byHardness = options.text("by") == "hardness";
  ReviewFigure figure;
  figure.spec.title =
      byHardness ? Phrase::tr("Error categories by hardness") : Phrase::tr("Error categories");
  figure.table.columns = {{QT_TRANSLATE_NOOP("Command", "model")},
                          {QT_TRANSLATE_NOOP("Command", "level")},
                          {QT_TRANSLATE_NOOP("Command", "false negative"), 0},
                          {QT_TRANSLATE_NOOP("Command", "column"), 0},
                          {QT_TRANSLATE_NOOP("Command", "sketch"), 0},
                          {QT_TRANSLATE_NOOP("Command", "both"), 0},
                          {QT_TRANSLATE_NOOP("Command", "wrong"), 0}};
  if (byHardness) {
    buildByHardness(input, share, figure);
  } else {
    buildByModel(input, share, figure);
  }
  setSize(figure.spec, options, byHardness ? 38 * static_cast<double>(input.review.models.size()) + 12 : 66);
  return figure;
}

}  // namespace

FigureEntry categoryBreakdownFigureEntry() {
  return {
      .id = "category_breakdown",
      .title = "Error categories",
      .reference = "DT-Fixup, Table 6",
      .fields = joinedFields(
          {{choiceField("by", "Bars", "One bar per model, or one panel per model with a bar per hardness.",
                        {{"model", "per model"}, {"hardness", "per hardness"}}),
            choiceField("unit", "Unit", "Numbers of predictions, or shares of a bar.",
                        {{"count", "numbers"}, {"share", "shares"}})},
           sizeFields()}),
      .buildReview = buildCategoryBreakdown};
}

}  // namespace fathom
