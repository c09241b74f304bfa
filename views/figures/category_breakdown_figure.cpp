// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "core/base/options/field_builder.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

constexpr const char* kHardnessFacet = "hardness";

// A category of the errors that are counted: all but "right" and "gold is wrong".
struct Part {
  std::uint8_t category = 0;
  std::string id, colour;
  Phrase label;
  std::string column;  // of the table
};

// Parts of SQL, which have colours of their own, as everywhere.
std::vector<Part> sqlParts() {
  std::vector<Part> parts;
  const auto add = [&parts](ErrorCategory category, const Phrase& label, const char* column) {
    const std::string id = errorCategoryId(category);
    parts.push_back({static_cast<std::uint8_t>(category), id, "category:" + id, label, column});
  };
  add(ErrorCategory::FalseNegative, Phrase::tr("false negative"),
      QT_TRANSLATE_NOOP("Command", "false negative"));
  add(ErrorCategory::Column, Phrase::tr("column"), QT_TRANSLATE_NOOP("Command", "column"));
  add(ErrorCategory::Sketch, Phrase::tr("sketch"), QT_TRANSLATE_NOOP("Command", "sketch"));
  add(ErrorCategory::Both, Phrase::tr("both"), QT_TRANSLATE_NOOP("Command", "both"));
  return parts;
}

// Parts of a review; for other kinds than SQL those that occur. Wrong gold is nobody's error.
std::vector<Part> partsOf(const ReviewFigureInput& input) {
  if (spiderOf(input.review) != nullptr) return sqlParts();
  std::vector<Part> parts;
  const auto& categories = input.review.kind->categories;
  for (std::size_t k = 1; k < categories.size(); ++k) {
    if (categories[k].counting == Counting::NotAtAll) continue;
    const auto category = static_cast<std::uint8_t>(k);
    const auto occurs = [category](const std::vector<std::uint8_t>& ofModel) {
      return std::find(ofModel.begin(), ofModel.end(), category) != ofModel.end();
    };
    if (std::any_of(input.categories.begin(), input.categories.end(), occurs))
      parts.push_back({category, categories[k].id, "series:" + std::to_string(k - 1), categories[k].title,
                       markupOf(categories[k].title.english())});
  }
  return parts;
}

// One bar of a panel: a model, or the examples of one model with one value of a facet.
struct Bar {
  Phrase label;
  std::string model;                    // its name
  std::vector<int> counts;              // by part
  std::vector<std::string> selections;  // by part: the examples that are counted, empty where there are none
  std::vector<std::size_t> examples;    // of all parts
  int wrong() const { return std::accumulate(counts.begin(), counts.end(), 0); }
};

template <typename Counts>
Bar breakdownBar(const Phrase& label, const std::string& model, const std::vector<Part>& parts,
                 const std::vector<std::uint8_t>& categories, const Counts& counted) {
  Bar bar{label, model, {}, {}, {}};
  for (const Part& part : parts) {
    std::vector<std::size_t> examples;
    for (std::size_t i = 0; i < categories.size(); ++i)
      if (categories[i] == part.category && counted(i)) examples.push_back(i);
    bar.examples.insert(bar.examples.end(), examples.begin(), examples.end());
    bar.counts.push_back(static_cast<int>(examples.size()));
    bar.selections.push_back(selectionOfExamples(model, examples));
  }
  std::sort(bar.examples.begin(), bar.examples.end());
  return bar;
}

// Parts that no prediction of the figure is in have no place in its key.
std::vector<bool> occurring(const std::vector<Part>& parts,
                            const std::vector<std::vector<std::uint8_t>>& all) {
  std::vector<bool> occurs;
  for (const Part& part : parts)
    occurs.push_back(std::any_of(all.begin(), all.end(), [&part](const std::vector<std::uint8_t>& ofModel) {
      return std::find(ofModel.begin(), ofModel.end(), part.category) != ofModel.end();
    }));
  return occurs;
}

// Parts lie on top of each other; `share` makes every bar 100 %.
void addBars(FigurePanel& panel, const std::vector<Part>& parts, const std::vector<Bar>& bars, bool share,
             const std::vector<bool>& named) {
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const int wrong = bars[b].wrong();
    const double unit = !share ? 1 : wrong == 0 ? 0 : 100.0 / wrong;
    double base = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const int count = bars[b].counts[p];
      FigureMark mark = barsMark({static_cast<double>(b)}, {base + unit * count}, 0.68, parts[p].colour);
      std::get<BarsMark>(mark.shape).base = base;
      if (b == 0 && named[p]) mark.label = parts[p].label;
      mark.selection = bars[b].selections[p];
      base += unit * count;
      panel.marks.push_back(std::move(mark));
    }
  }
}

void addRow(ReviewFigure& figure, const std::vector<Part>& parts, const Bar& bar, const std::string& model,
            const std::string& level) {
  auto& row = figure.table.rows.emplace_back();
  row.assign({model, level});
  std::vector<Phrase> words;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    row.emplace_back(double(bar.counts[p]));
    words.push_back(Phrase::tr("%1 %2")(parts[p].label, bar.counts[p]));
  }
  row.emplace_back(double(bar.wrong()));
  figure.lastRowLeadsTo(reviewSelection(bar.model));
  for (std::size_t p = 0; p < parts.size(); ++p) figure.cells.back()[2 + p] = bar.selections[p];
  figure.cells.back().back() = selectionOfExamples(bar.model, bar.examples);
  if (!bar.label.empty()) figure.cells.back()[1] = figure.cells.back().back();  // a bar of one level
  figure.spec.summary.append(
      Phrase::tr("%1, %2: %3.")(bar.model, level, Phrase::list(std::move(words), ", ")));
}

void setAxisY(FigurePanel& panel, bool share) {
  panel.y.label = share ? Phrase::tr("wrong predictions (%)") : Phrase::tr("wrong predictions");
  panel.y.minimum = 0;
  if (share) panel.y.maximum = 100;
}

void buildByModel(const ReviewFigureInput& input, const std::vector<Part>& parts, bool share,
                  ReviewFigure& figure) {
  FigurePanel panel;
  panel.x = modelAxis(input.review);
  panel.legend = LegendPlace::Below;
  setAxisY(panel, share);
  std::vector<Bar> bars;
  for (std::size_t m = 0; m < input.categories.size(); ++m) {
    const ReviewModel& model = input.review.models[m];
    bars.push_back(
        breakdownBar({}, model.name, parts, input.categories[m], [](std::size_t) { return true; }));
    addRow(figure, parts, bars.back(), modelLabel(model), "all");
  }
  addBars(panel, parts, bars, share, occurring(parts, input.categories));
  if (panel.x.scale == AxisScale::Token) {  // the foot belongs to the long names: room for the legend above
    double most = 0;
    for (const Bar& bar : bars) most = std::max(most, static_cast<double>(bar.wrong()));
    panel.legend = LegendPlace::Inside;
    panel.y.maximum = 1.5 * (share ? 100 : std::max(most, 1.0));
    if (share) panel.y.ticks = {0, 20, 40, 60, 80, 100};
  }
  figure.spec.panels.push_back(std::move(panel));
}

// A panel for each model, in it a bar for each value of a facet of the examples.
void buildByFacet(const ReviewFigureInput& input, const ReviewFacet& facet, const std::vector<Part>& parts,
                  bool share, ReviewFigure& figure) {
  std::vector<Phrase> words;
  for (const ReviewFacet::Value& value : facet.values) words.push_back(value.title);
  for (std::size_t m = 0; m < input.categories.size(); ++m) {
    const ReviewModel& model = input.review.models[m];
    FigurePanel panel;
    panel.title = modelLabel(model);
    panel.row = static_cast<int>(m);
    panel.x = wordAxis(words);
    setAxisY(panel, share);
    panel.legend = m + 1 == input.categories.size() ? LegendPlace::Below : LegendPlace::None;
    std::vector<Bar> bars;
    for (std::size_t v = 0; v < facet.values.size(); ++v) {
      const auto counted = [&facet, m, v](std::size_t i) { return facet.has(m, i, v); };
      bars.push_back(breakdownBar(words[v], model.name, parts, input.categories[m], counted));
      addRow(figure, parts, bars.back(), modelLabel(model), words[v].english());
    }
    addBars(panel, parts, bars, share, occurring(parts, input.categories));
    figure.spec.panels.push_back(std::move(panel));
  }
}

Result<ReviewFigure> buildCategoryBreakdown(const ReviewFigureInput& input, const OptionValues& options) {
  const bool share = options.text("unit") == "share";
  const bool byHardness = options.text("by") == kHardnessFacet;
  const std::vector<Part> parts = partsOf(input);
  const auto& facets = input.review.facets;
  const auto hardness = std::find_if(facets.begin(), facets.end(),
                                     [](const ReviewFacet& facet) { return facet.id == kHardnessFacet; });
  if (byHardness && hardness == facets.end())
    return usageError(Phrase::tr("the examples have no facet \"%1\"")(kHardnessFacet),
                      Phrase::tr("draw it with by=model"));
  ReviewFigure figure;
  figure.spec.title =
      byHardness ? Phrase::tr("Error categories by hardness") : Phrase::tr("Error categories");
  figure.table.columns = {{QT_TRANSLATE_NOOP("Command", "model")}, {QT_TRANSLATE_NOOP("Command", "level")}};
  for (const Part& part : parts) figure.table.columns.push_back({part.column, 0});
  figure.table.columns.push_back({QT_TRANSLATE_NOOP("Command", "wrong"), 0});
  if (byHardness) {
    buildByFacet(input, *hardness, parts, share, figure);
  } else {
    buildByModel(input, parts, share, figure);
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
      .buildReview = buildCategoryBreakdown,
      .ofEveryKind = true};
}

}  // namespace fathom
