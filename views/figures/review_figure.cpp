// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/review_figure.h"

#include <algorithm>
#include <iterator>

#include "core/base/options/field_builder.h"
#include "views/figure/distinct_text.h"
#include "views/figure/figure_text.h"
#include "views/selection/selection.h"

namespace fathom {

Result<const SpiderReview*> spiderOf(const ReviewFigureInput& input) {
  if (const SpiderReview* spider = spiderOf(input.review)) return spider;
  return internalError("a figure of SQL alone is of predictions of the kind " + input.review.kind->id);
}

OptionField systemField() {
  return textField("system", "System", "Name of the system that is drawn; empty is the first.");
}

std::size_t systemOf(const ReviewFigureInput& input, const OptionValues& options) {
  const std::string wanted = options.text("system");
  const auto& models = input.review.models;
  const auto found = std::find_if(models.begin(), models.end(),
                                  [&wanted](const ReviewModel& model) { return model.name == wanted; });
  return found == models.end() ? 0 : static_cast<std::size_t>(found - models.begin());
}

OptionField verdictsField() {
  return choiceField("verdicts", "Verdicts",
                     "Whose verdicts the figure counts: those of the metric; or those of people, where an "
                     "answer may be right after all and examples with wrong gold are left out.",
                     {{kVerdictsOfMetric, "by the metric"}, {"people", "by people"}});
}

std::optional<JudgedReview> peoplesReview(const ReviewFigureInput& input, const OptionValues& options,
                                          FigureSpec& spec) {
  if (options.text("verdicts") == kVerdictsOfMetric) return {};
  if (input.judgements == nullptr) {
    spec.notes.push_back(Phrase::tr("Nobody judged an answer."));
    return {};
  }
  JudgedReview judged = judgedReview(input.review, *input.judgements);
  spec.notes.push_back(judged.words());
  return judged;
}

void ReviewFigure::lastRowLeadsTo(const std::string& selection) {
  cells.resize(table.rows.size());
  cells.back().assign(table.columns.size(), selection);
}

// Every number of a figure has its examples: they are written without a detour.
std::string examplesPart(const std::vector<std::size_t>& examples) {
  std::string text;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    text += i > 0 ? "," : "ex:";
    text += std::to_string(examples[i]);
    if (i == 0 && examples.size() > 1) text += '*';  // where one begins
  }
  return text;
}

std::string reviewSelection(const std::string& model, const std::string& category,
                            const std::vector<std::size_t>& examples) {
  Selection selection;
  if (!model.empty()) selection.set(Dimension::PredictionSet, {QString::fromStdString(model)});
  if (!category.empty()) selection.set(Dimension::Category, {QString::fromStdString(category)});
  std::string text = selection.text().toStdString();
  if (examples.empty()) return text;
  return text + (text.empty() ? "" : "/") + examplesPart(examples);
}

std::string selectionOfExamples(const std::string& model, const std::vector<std::size_t>& examples) {
  return examples.empty() ? std::string() : reviewSelection(model, "", examples);
}

std::string modelLabel(const ReviewModel& model) {
  return markupOf(model.name);
}

MarkStyle modelStyle(std::size_t model) {
  constexpr std::size_t kColours = 7;
  constexpr MarkerShape kShapes[] = {MarkerShape::Disc, MarkerShape::Square, MarkerShape::Diamond,
                                     MarkerShape::Triangle};
  MarkStyle style;
  style.colour = "series:" + std::to_string(model % kColours);
  style.marker = kShapes[(model + model / kColours) % std::size(kShapes)];
  return style;
}

FigureAxis modelAxis(const Review& review) {
  FigureAxis axis;
  std::size_t letters = 0;
  for (const auto& model : review.models) {
    axis.categories.push_back(modelLabel(model));
    letters = std::max(letters, model.name.size());
  }
  // Names that cannot stand side by side in a column of a paper stand upright.
  const bool upright = letters * review.models.size() > 36;
  if (upright) {
    constexpr qsizetype kMost = 14;
    QStringList names;
    for (const auto& model : review.models) names.append(QString::fromStdString(model.name));
    names = namesApart(names, kMost);
    for (std::size_t m = 0; m < review.models.size(); ++m)
      axis.categories[m] = escapeMarkup(names[static_cast<qsizetype>(m)]).toStdString();
  }
  axis.scale = upright ? AxisScale::Token : AxisScale::Category;
  axis.minimum = -0.5;
  axis.maximum = static_cast<double>(review.models.size()) - 0.5;
  axis.grid = false;
  return axis;
}

const std::vector<std::string>& hardnessLabels() {
  static const std::vector<std::string> labels = {
      QT_TRANSLATE_NOOP("TableWord", "easy"), QT_TRANSLATE_NOOP("TableWord", "medium"),
      QT_TRANSLATE_NOOP("TableWord", "hard"), QT_TRANSLATE_NOOP("TableWord", "extra"),
      QT_TRANSLATE_NOOP("TableWord", "all")};
  return labels;
}

FigureAxis hardnessAxis(std::size_t levels) {
  std::vector<Phrase> words;
  for (std::size_t i = 0; i < levels; ++i) words.push_back(Phrase::known(hardnessLabels()[i]));
  return wordAxis(std::move(words));
}

FigureMark barsMark(std::vector<double> x, std::vector<double> height, double width, std::string colour) {
  FigureMark mark;
  BarsMark bars;
  bars.x = std::move(x);
  bars.height = std::move(height);
  bars.width = width;
  mark.shape = std::move(bars);
  mark.style.colour = std::move(colour);
  return mark;
}

}  // namespace fathom
