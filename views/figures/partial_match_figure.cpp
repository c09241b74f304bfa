// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/base/errors/name_list.h"
#include "core/base/options/field_builder.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

double measured(const SpiderLevelScores::Partial& scores, const std::string& measure) {
  if (measure == "accuracy") return scores.accuracy;
  return measure == "recall" ? scores.recall : scores.f1;
}

std::size_t levelOf(const std::string& name) {
  std::size_t level = 0;
  while (level + 1 < hardnessLabels().size() && hardnessLabels()[level] != name) ++level;
  return level;
}

// The last level is all of them.
std::vector<std::size_t> examplesOfLevel(const SpiderReview& review, std::size_t level) {
  std::vector<std::size_t> examples;
  for (std::size_t e = 0; e < review.examples(); ++e)
    if (level + 1 == hardnessLabels().size() || static_cast<std::size_t>(review.hardness(e)) == level)
      examples.push_back(e);
  return examples;
}

Result<ReviewFigure> buildPartialMatch(const ReviewFigureInput& input, const OptionValues& options) {
  FATHOM_TRY(const SpiderReview* spider, spiderOf(input));
  const std::string measure = options.text("measure");
  const std::size_t level = levelOf(options.text("level"));
  ReviewFigure figure;
  figure.spec.title = Phrase::tr("Partial matches");
  figure.table.columns = {{QT_TRANSLATE_NOOP("Command", "model")},
                          {QT_TRANSLATE_NOOP("Command", "component")},
                          {QT_TRANSLATE_NOOP("Command", "accuracy"), 4},
                          {QT_TRANSLATE_NOOP("Command", "recall"), 4},
                          {QT_TRANSLATE_NOOP("Command", "F1"), 4}};
  FigurePanel panel;
  panel.x.label = measure == "f1"       ? Phrase::words("F1 (%)")
                  : measure == "recall" ? Phrase(Phrase::tr("recall (%)"))
                                        : Phrase(Phrase::tr("accuracy (%)"));
  panel.x.minimum = 0;
  panel.x.maximum = 100;
  std::vector<std::string> components;
  for (std::size_t c = 0; c < kMatchComponents; ++c) components.emplace_back(matchComponentName(c));
  panel.y = categoryAxis(components);
  panel.y.grid = true;
  panel.y.reversed = true;
  panel.legend = LegendPlace::Below;
  const auto& models = input.review.models;
  for (std::size_t m = 0; m < models.size(); ++m) {
    PointsMark points;
    std::vector<Phrase> words;
    const std::string ofLevel = selectionOfExamples(models[m].name, examplesOfLevel(*spider, level));
    for (std::size_t c = 0; c < kMatchComponents; ++c) {
      const auto& scores = spider->models[m].evaluation.levels[level].partial[c];
      // Points of different models keep apart a little, so that equal scores show.
      const double spread = 0.5 / static_cast<double>(models.size());
      points.x.push_back(100 * measured(scores, measure));
      points.y.push_back(static_cast<double>(c) +
                         spread * (static_cast<double>(m) - (static_cast<double>(models.size()) - 1) / 2));
      figure.table.rows.push_back({modelLabel(models[m]), std::string(matchComponentName(c)), scores.accuracy,
                                   scores.recall, scores.f1});
      figure.lastRowLeadsTo(ofLevel);
      words.emplace_back(std::string(matchComponentName(c)) + " " +
                         jsonNumber(std::round(1000 * measured(scores, measure)) / 10) + " %");
    }
    figure.spec.summary.append(Phrase::tr("%1: %2.")(models[m].name, listed(std::move(words))));
    FigureMark mark;
    mark.style = modelStyle(m);
    mark.style.fill = 1;
    mark.label = modelLabel(models[m]);
    mark.selection = ofLevel;
    mark.shape = std::move(points);
    panel.marks.push_back(std::move(mark));
  }
  figure.spec.panels.push_back(std::move(panel));
  if (measure == "f1")
    figure.spec.notes = {Phrase::tr("As the official script prints it: 0 of 0 counts as 100 %.")};
  setSize(figure.spec, options, 82);
  return figure;
}

}  // namespace

FigureEntry partialMatchFigureEntry() {
  return {
      .id = "partial_match",
      .title = "Partial matches",
      .reference = "Spider, partial component match",
      .fields = joinedFields(
          {{choiceField("measure", "Measure", "F1, accuracy or recall, as the official script defines them.",
                        {{"f1", "F1"}, {"accuracy", "accuracy"}, {"recall", "recall"}}),
            choiceField("level", "Hardness", "Examples of one level, or all.",
                        {{"all", "all"},
                         {"easy", "easy"},
                         {"medium", "medium"},
                         {"hard", "hard"},
                         {"extra", "extra"}})},
           sizeFields()}),
      .buildReview = buildPartialMatch};
}

}  // namespace fathom
