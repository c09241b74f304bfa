// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <utility>

#include "core/analysis/statistics/paper_table.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

constexpr std::array kPhraseDepths = {1, 3, 5};

std::optional<double> scoreNamed(const ReviewModel& model, const std::string& id) {
  for (const ReviewScore& score : model.scores)
    if (score.id == id) return score.value;
  return {};
}

// Precision, recall and F1 of the first one, three and five phrases.
Result<ReviewFigure> buildPhraseScores(const ReviewFigureInput& input, const OptionValues& options) {
  const std::array<std::pair<const char*, Phrase>, 3> parts = {{{"precision_at_", Phrase::tr("precision, %")},
                                                                {"recall_at_", Phrase::tr("recall, %")},
                                                                {"f1_at_", Phrase::tr("F1, %")}}};
  ReviewFigure figure;
  figure.spec.title = Phrase::tr("Scores by the number of phrases");
  figure.table.columns = {{QT_TRANSLATE_NOOP("Command", "system")},
                          {QT_TRANSLATE_NOOP("Command", "phrases"), 0},
                          {QT_TRANSLATE_NOOP("Command", "precision"), 2},
                          {QT_TRANSLATE_NOOP("Command", "recall"), 2},
                          {QT_TRANSLATE_NOOP("Command", "F1"), 2}};
  const auto& models = input.review.models;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    FigurePanel panel;
    panel.column = int(p);
    panel.x.label = Phrase::tr("phrases");
    panel.x.ticks = {1, 3, 5};
    panel.x.minimum = 0.8;  // marks at the ends are whole
    panel.x.maximum = 5.2;
    panel.y.label = parts[p].second;
    panel.y.minimum = 0;
    for (std::size_t m = 0; m < models.size(); ++m) {
      LineMark line;
      for (const int depth : kPhraseDepths) {
        const auto value = scoreNamed(models[m], parts[p].first + std::to_string(depth));
        if (!value) return usageError(Phrase::tr("this kind has no scores of phrases"));
        line.x.push_back(depth);
        line.y.push_back(*value);
      }
      FigureMark mark;
      mark.shape = std::move(line);
      mark.style = modelStyle(m);
      mark.style.marker = MarkerShape::Disc;
      if (p == 0) mark.label = Phrase::words(markupOf(models[m].name));
      mark.selection = reviewSelection(models[m].name);
      panel.marks.push_back(std::move(mark));
    }
    figure.spec.panels.push_back(std::move(panel));
  }
  for (const ReviewModel& model : models)
    for (const int depth : kPhraseDepths) {
      const auto of = [&](const char* id) { return *scoreNamed(model, id + std::to_string(depth)); };
      figure.table.rows.push_back(
          {markupOf(model.name), double(depth), of("precision_at_"), of("recall_at_"), of("f1_at_")});
      figure.lastRowLeadsTo(reviewSelection(model.name));
    }
  figure.spec.summary = Phrase::tr(
      "Precision, recall and F1 of the first one, three and five phrases of a page, means over pages.");
  setSize(figure.spec, options, 50);
  return figure;
}

}  // namespace

FigureEntry phraseScoresFigureEntry() {
  return {.id = "phrase_scores",
          .title = "Scores by the number of phrases",
          .reference = "OpenKP",
          .fields = sizeFields(),
          .buildReview = buildPhraseScores};
}

}  // namespace fathom
