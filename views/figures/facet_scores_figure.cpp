// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/analysis/statistics/paired_test.h"
#include "core/analysis/statistics/paper_table.h"
#include "core/base/options/field_builder.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

constexpr std::size_t kMostFacetValues = 24;
constexpr double kNormal95 = 1.959963984540054, kSpread = 0.5;

// Quantity that is averaged: the share that is right, or a number of the kind.
struct Averaged {
  Phrase title;
  int number = -1;  // -1: right or not
};

// The facet of the examples that an option names, else the first one.
Result<const ReviewFacet*> chosenFacet(const Review& review, const std::string& wanted) {
  std::string known;
  for (const ReviewFacet& facet : review.facets) {
    if (facet.ofExample.empty()) continue;
    if (wanted.empty() || facet.id == wanted) return &facet;
    known += (known.empty() ? "" : ", ") + facet.id;
  }
  if (known.empty()) return usageError(Phrase::tr("the examples of this kind have no facets"));
  return usageError(Phrase::tr("the examples have no facet \"%1\"")(wanted), Phrase::tr("one of %1")(known));
}

Result<Averaged> chosenNumber(const ReviewKind& kind, const std::string& wanted) {
  if (wanted == "right" || (wanted.empty() && kind.test == PairTest::McNemar))
    return Averaged{Phrase::tr("right, %")};
  for (std::size_t n = 0; n < kind.numbers.size(); ++n)
    if (wanted.empty() || kind.numbers[n].id == wanted)
      return Averaged{kind.numbers[n].title, static_cast<int>(n)};
  return usageError(Phrase::tr("there is no number \"%1\" of the examples")(wanted),
                    Phrase::tr("\"right\", or a number of the kind"));
}

// Mean over the examples with one value of the facet.
struct FacetMean {
  double mean = kNaN, low = kNaN, high = kNaN;
  std::vector<std::size_t> examples;  // that count
};

FacetMean meanOf(const ReviewModel& model, const ReviewFacet& facet, std::int32_t value,
                 const Averaged& averaged) {
  FacetMean result;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < model.verdicts.size(); ++i) {
    const ReviewVerdict& verdict = model.verdicts[i];
    if (facet.ofExample[i] != value || (!verdict.right && !verdict.wrong)) continue;
    const double number =
        averaged.number < 0 ? double(verdict.right) : double{verdict.numbers[std::size_t(averaged.number)]};
    if (std::isnan(number)) continue;
    result.examples.push_back(i);
    sum += number;
    squares += number * number;
  }
  const auto count = static_cast<double>(result.examples.size());
  if (count == 0) return result;
  result.mean = sum / count;
  if (averaged.number < 0) {
    const Interval share = wilsonInterval(static_cast<int>(sum), static_cast<int>(count));
    result = {100 * result.mean, 100 * share.low, 100 * share.high, std::move(result.examples)};
    return result;
  }
  const double variance =
      count > 1 ? std::max(0.0, (squares - count * result.mean * result.mean)) / (count - 1) : kNaN;
  const double half = kNormal95 * std::sqrt(variance / count);
  result.low = result.mean - half;
  result.high = result.mean + half;
  return result;
}

// Points with their intervals, beside those of the other systems.
void addSystem(FigurePanel& panel, const ReviewModel& model, std::size_t number, double shift,
               const std::vector<FacetMean>& means) {
  PointsMark points;
  SegmentsMark intervals;
  FigureMark mark, range;
  const std::string base = reviewSelection(model.name);
  for (std::size_t v = 0; v < means.size(); ++v) {
    if (std::isnan(means[v].mean)) continue;
    const double x = static_cast<double>(v) + shift;
    points.x.push_back(x);
    points.y.push_back(means[v].mean);
    mark.columnParts.push_back(examplesPart(means[v].examples));
    if (std::isnan(means[v].low)) continue;
    intervals.x0.push_back(x);
    intervals.x1.push_back(x);
    intervals.y0.push_back(means[v].low);
    intervals.y1.push_back(means[v].high);
  }
  range.shape = std::move(intervals);
  range.style = modelStyle(number);
  range.style.marker = MarkerShape::None;
  panel.marks.push_back(std::move(range));
  mark.shape = std::move(points);
  mark.style = modelStyle(number);
  mark.style.fill = 1;
  mark.label = Phrase::words(markupOf(model.name));
  mark.selection = base;
  panel.marks.push_back(std::move(mark));
}

// Examples with a value of the facet; by people's verdicts those that are left, as gold may be wrong.
std::int64_t countedExamples(const Review& review, const ReviewFacet& facet, std::int32_t value,
                             bool scored) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < facet.ofExample.size(); ++i) {
    if (facet.ofExample[i] != value) continue;
    count +=
        !scored || std::any_of(review.models.begin(), review.models.end(), [i](const ReviewModel& model) {
          return model.verdicts[i].right || model.verdicts[i].wrong;
        });
  }
  return count;
}

Result<ReviewFigure> buildFacetScores(const ReviewFigureInput& input, const OptionValues& options) {
  ReviewFigure figure;
  const std::optional<JudgedReview> people = peoplesReview(input, options, figure.spec);
  const Review& review = people ? people->review : input.review;
  FATHOM_TRY(const ReviewFacet* facet, chosenFacet(review, options.text("facet")));
  FATHOM_TRY(const Averaged averaged, chosenNumber(*review.kind, options.text("number")));
  const std::size_t values = std::min(facet->values.size(), kMostFacetValues);
  figure.spec.title = Phrase::tr("Scores by %1")(facet->title);
  figure.table.columns = {
      {QT_TRANSLATE_NOOP("Command", "system")}, {markupOf(facet->title.english())},
      {markupOf(averaged.title.english()), 3},  {QT_TRANSLATE_NOOP("Command", "from"), 3},
      {QT_TRANSLATE_NOOP("Command", "to"), 3},  {QT_TRANSLATE_NOOP("Command", "examples"), 0}};
  FigurePanel panel;
  std::vector<Phrase> names;
  for (std::size_t v = 0; v < values; ++v) {
    const auto count = countedExamples(review, *facet, std::int32_t(v), people.has_value());
    const Phrase& title = facet->values[v].title;
    names.push_back(
        Phrase::tr("%1 (%2)")(title.verbatim ? Phrase::words(markupOf(title.english())) : title, count));
  }
  panel.x = wordAxis(std::move(names), facet->title);
  panel.y.label = averaged.title;
  const std::size_t models = review.models.size();
  for (std::size_t m = 0; m < models; ++m) {
    std::vector<FacetMean> means;
    for (std::size_t v = 0; v < values; ++v) {
      FacetMean mean = meanOf(review.models[m], *facet, static_cast<std::int32_t>(v), averaged);
      if (!mean.examples.empty()) {
        figure.table.rows.push_back({markupOf(review.models[m].name),
                                     markupOf(facet->values[v].title.english()), mean.mean, mean.low,
                                     mean.high, double(mean.examples.size())});
        figure.lastRowLeadsTo(reviewSelection(review.models[m].name, "", mean.examples));
      }
      means.push_back(std::move(mean));
    }
    const double shift =
        models < 2 ? 0 : kSpread * (static_cast<double>(m) / static_cast<double>(models - 1) - 0.5);
    addSystem(panel, review.models[m], m, shift, means);
  }
  if (figure.table.rows.empty()) return usageError(Phrase::tr("no example has a number"));
  if (values < facet->values.size())
    figure.spec.notes.push_back(Phrase::tr("%1 more values are not shown.")(facet->values.size() - values));
  figure.spec.notes.push_back(Phrase::tr("Lines show the 95 % interval of each mean."));
  figure.spec.panels = {std::move(panel)};
  figure.spec.summary =
      Phrase::tr("For each value of the facet the mean of each system, with its 95 % interval.");
  setSize(figure.spec, options, 62);
  return figure;
}

}  // namespace

FigureEntry facetScoresFigureEntry() {
  return {
      .id = "facet_scores",
      .title = "Scores by facet",
      .fields = joinedFields(
          {{textField("facet", "Facet",
                      "Which facet of the examples (length, gold, question, ...); empty is the first."),
            textField("number", "Number",
                      "What is averaged: right, or a number of the kind (chrf, bleu, f1, residual, ...).")},
           {verdictsField()},
           sizeFields()}),
      .buildReview = buildFacetScores};
}

}  // namespace fathom
