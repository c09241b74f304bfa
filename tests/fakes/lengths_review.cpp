// SPDX-License-Identifier: Apache-2.0
// A kind of review that a test adds: texts, one a line, and how many words each has.
#include "core/base/text/number_text.h"
#include "core/review/imported_predictions.h"
#include "core/review/review_kind.h"
#include "core/review/text_difference.h"

namespace fathom {

namespace {

Result<ReviewGold> readLengthsGold(const ReviewSources& sources) {
  FATHOM_TRY(const std::string bytes, readUnpacked(sources.gold));
  FATHOM_TRY(const auto lines, textLines(bytes, sources.gold));
  ReviewGold gold;
  gold.texts = {{"text", Phrase::tr("Text")}};
  for (const auto line : lines) {
    ReviewExample example;
    example.id = std::to_string(gold.examples.size());
    example.texts = {std::string(line)};
    example.references = {std::to_string(wordSpans(line).size())};
    gold.examples.push_back(std::move(example));
  }
  return gold;
}

void judgeLength(const ReviewGold&, const ReviewExample& example, const ReviewOutput& output,
                 ReviewVerdict& verdict, std::span<std::int32_t>) {
  verdict.right = output.given && output.text == example.references.front();
  verdict.wrong = !verdict.right;
  verdict.score = verdict.right ? 1 : 0;
  verdict.category = verdict.wrong ? 1 : 0;
}

std::vector<ReviewScore> lengthScores(const ReviewGold& gold, const ReviewModel& model) {
  double right = 0;
  for (const ReviewVerdict& verdict : model.verdicts) right += verdict.right;
  return {{"right", Phrase::tr("right, %"), 100 * right / static_cast<double>(gold.examples.size()), 1}};
}

}  // namespace

ReviewKind lengthsReviewEntry() {
  return {.id = "lengths",
          .title = Phrase::tr("Lengths"),
          .description = Phrase::tr("How many words a text has"),
          .goldHelp = Phrase::tr("One text a line"),
          .predictionsHelp = Phrase::tr("One number a line"),
          .categories = {{"right", Phrase::tr("Right"), "✓", Phrase::tr("As many")},
                         {"wrong", Phrase::tr("Wrong"), "W", Phrase::tr("Not as many")},
                         {"gold_error", Phrase::tr("Gold is wrong"), "G", Phrase::tr("The text is none")}},
          .compared = Phrase::tr("right, points"),
          .panels = "lengths",
          .readGold = readLengthsGold,
          .judge = judgeLength,
          .scores = lengthScores};
}

}  // namespace fathom
