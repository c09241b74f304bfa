// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/base/json/json_members.h"
#include "core/base/numbers/correlation.h"
#include "core/base/text/number_text.h"
#include "core/base/text/shown_value.h"
#include "core/review/gold_options.h"
#include "core/review/gold_table.h"
#include "core/review/imported_predictions.h"
#include "core/review/kinds/shared_categories.h"
#include "core/review/review_kind.h"

namespace fathom {

namespace {

enum NumberCategory : std::uint8_t { kNumberRight, kTooHigh, kTooLow, kNumberMissing };
constexpr int kValueRanges = 5;

Result<double> numberToleranceOf(const ReviewSources& sources, const ReviewGold& gold) {
  const std::string wanted = memberText(sources.options, "tolerance");
  if (!wanted.empty()) {
    const auto number = numberFrom<double>(wanted);
    if (!number || !std::isfinite(*number) || *number < 0)
      return usageError(Phrase::tr("the tolerance must be a number from 0 up, not \"%1\"")(wanted));
    return *number;
  }
  double mean = 0, squares = 0;
  for (const ReviewExample& example : gold.examples) mean += example.value;
  mean /= static_cast<double>(std::max<std::size_t>(gold.examples.size(), 1));
  for (const ReviewExample& example : gold.examples)
    squares += (example.value - mean) * (example.value - mean);
  return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(gold.examples.size(), 1))) / 2;
}

Result<ReviewGold> readNumberGold(const ReviewSources& sources) {
  FATHOM_TRY(GoldTable table, readGoldTable(sources));
  ReviewGold gold;
  gold.texts = std::move(table.texts);
  gold.notes = std::move(table.notes);
  for (GoldTable::Row& row : table.rows) {
    const auto number = numberFrom<double>(row.label);
    if (!number || !std::isfinite(*number)) {
      const Phrase what = Phrase::tr("\"%1\" is no number")(shownValue(row.label));
      if (!skipsBadGold(sources))
        return dataErrorAt(sources.gold, row.line, what,
                           Phrase::tr("labels are the kind \"class\"; or name another label_column"));
      table.bad.add(row.line, what);
      continue;
    }
    ReviewExample example;
    example.id = std::move(row.id);
    example.texts = std::move(row.texts);
    example.references = {std::move(row.label)};
    example.value = *number;
    example.line = row.line;
    example.place = row.place;
    gold.examples.push_back(std::move(example));
  }
  noteBadGold(gold, table.bad);
  gold.records = table.records;
  FATHOM_TRY(gold.tolerance, numberToleranceOf(sources, gold));
  return gold;
}

Status takeNumber(ReviewGold&, const ReviewExample&, const ImportedPrediction& read, ReviewOutput& output) {
  std::optional<double> number = read.number;
  if (!number && read.scores.size() == 1) number = read.scores.front();
  if (!number || !std::isfinite(*number))
    return dataError(
        Phrase::tr("a number is expected, not \"%1\"")(read.text ? shownValue(*read.text) : std::string()));
  output.value = *number;
  output.text = shortestText(*number);
  return {};
}

void judgeNumber(const ReviewGold& gold, const ReviewExample& example, const ReviewOutput& output,
                 ReviewVerdict& verdict, std::span<std::int32_t>) {
  if (!output.given) {
    verdict.wrong = true;
    verdict.category = kNumberMissing;
    verdict.score = kNaN;
    return;
  }
  const double residual = output.value - example.value;
  verdict.numbers[0] = residual;
  verdict.numbers[1] = std::abs(residual);
  verdict.score = verdict.numbers[1];
  // Decimal numbers: a residual of exactly the tolerance is right whatever it rounds to.
  verdict.right = std::abs(residual) <= gold.tolerance * (1 + 1e-12) + 1e-12;
  verdict.wrong = !verdict.right;
  if (verdict.wrong) verdict.category = residual > 0 ? kTooHigh : kTooLow;
}

void judgeNumberAsRight(const ReviewGold&, const ReviewExample&, const ReviewOutput&, ReviewVerdict& verdict,
                        std::span<std::int32_t>) {
  verdict.score = verdict.numbers[0] = verdict.numbers[1] = 0;
}

std::vector<ReviewScore> numberScores(const ReviewGold& gold, const ReviewModel& model) {
  std::vector<double> wanted, predicted;
  double error = 0, squares = 0;
  for (std::size_t i = 0; i < gold.examples.size(); ++i) {
    if (!model.outputs[i].given) continue;
    wanted.push_back(gold.examples[i].value);
    predicted.push_back(model.outputs[i].value);
    const double residual = predicted.back() - wanted.back();
    error += std::abs(residual);
    squares += residual * residual;
  }
  const Phrase constant = Phrase::tr("not defined: predictions or gold values are all the same");
  const auto percent = [](std::optional<double> value) {
    return value ? std::optional(100 * *value) : value;
  };
  std::vector<ReviewScore> scores = {
      {"pearson", Phrase::tr("Pearson, %"), percent(pearson(wanted, predicted)), 2, constant},
      {"spearman", Phrase::tr("Spearman, %"), percent(spearman(wanted, predicted)), 2, constant},
      {"mean_absolute_error", Phrase::tr("mean absolute error"), {}, 3, Phrase::tr("no predictions")},
      {"root_mean_square_error", Phrase::tr("root mean square error"), {}, 3, Phrase::tr("no predictions")}};
  if (!wanted.empty()) {
    scores[2].value = error / static_cast<double>(wanted.size());
    scores[3].value = std::sqrt(squares / static_cast<double>(wanted.size()));
  }
  return scores;
}

std::vector<ReviewFacet> numberFacets(const Review& review) {
  const ReviewGold& gold = review.gold;
  double least = gold.examples.front().value, most = least;
  for (const ReviewExample& example : gold.examples) {
    least = std::min(least, example.value);
    most = std::max(most, example.value);
  }
  const double width = most > least ? (most - least) / kValueRanges : 1;
  ReviewFacet range{"gold", Phrase::tr("Gold value"), {}, {}, {}};
  for (int k = 0; k < kValueRanges; ++k) {
    const std::string word =
        formatted("%.3g", least + k * width) + "…" + formatted("%.3g", least + (k + 1) * width);
    range.values.push_back({word, Phrase::words(word)});
  }
  for (const ReviewExample& example : gold.examples)
    range.ofExample.push_back(
        std::clamp(static_cast<int>((example.value - least) / width), 0, kValueRanges - 1));
  ReviewFacet residual{"residual",
                       Phrase::tr("Residual"),
                       {{"far_below", Phrase::tr("below by more than twice the tolerance")},
                        {"below", Phrase::tr("below")},
                        {"within", Phrase::tr("within the tolerance")},
                        {"above", Phrase::tr("above")},
                        {"far_above", Phrase::tr("above by more than twice the tolerance")}},
                       {},
                       {}};
  for (const ReviewModel& model : review.models) {
    auto& values = residual.ofModel.emplace_back();
    for (std::size_t i = 0; i < review.examples(); ++i) {
      const auto gap = model.verdicts[i].numbers[0];
      int value = 2;
      if (!model.verdicts[i].right) value = gap < 0 ? 1 : 3;
      if (std::abs(gap) > 2 * gold.tolerance && value != 2) value = gap < 0 ? 0 : 4;
      values.push_back(model.outputs[i].given ? value : -1);
    }
  }
  return {std::move(range), std::move(residual)};
}

std::vector<ReviewOption> numberOptions() {
  std::vector<ReviewOption> options = goldTableOptions();
  options.push_back(
      {"tolerance", Phrase::tr("Tolerance"),
       Phrase::tr("Residuals up to this count as right; half the standard deviation of the gold "
                  "values when it is left out")});
  return options;
}

}  // namespace

ReviewKind numberReviewEntry() {
  return {.id = "number",
          .title = Phrase::tr("Numbers"),
          .description = Phrase::tr("A real number for a text or a pair of texts, as in STS-B"),
          .goldHelp = Phrase::tr("A table with tabs as GLUE ships it, JSON lines with \"label\", or a "
                                 "prediction set"),
          .predictionsHelp = Phrase::tr(
              "Tabs: index and prediction; JSON lines with \"prediction\"; .npy; or one number a line"),
          .options = numberOptions(),
          .categories = {{"right", Phrase::tr("Right"), "✓", Phrase::tr("Within the tolerance")},
                         {"too_high", Phrase::tr("Too high"), "H",
                          Phrase::tr("More than the file says; then the next one")},
                         {"too_low", Phrase::tr("Too low"), "L",
                          Phrase::tr("Less than the file says; then the next one")},
                         missingCategory(),
                         {"ambiguous", Phrase::tr("Ambiguous"), "A",
                          Phrase::tr("Both numbers can be defended; then the next one")},
                         needsKnowledgeCategory(),
                         goldErrorCategory(Phrase::tr("The number of the file is wrong; then the next one")),
                         rightAfterAllCategory()},
          .numbers = {{"residual", Phrase::tr("Residual"), 2},
                      {"absolute_residual", Phrase::tr("|Residual|"), 2}},
          .test = PairTest::Bootstrap,
          .compared = Phrase::tr("mean absolute error"),
          .comparedFactor = 1,
          .setIsGold = true,
          .figures = {"prediction_scatter", "example_scores", "facet_scores"},
          .readGold = readNumberGold,
          .take = takeNumber,
          .judge = judgeNumber,
          .judgeAsRight = judgeNumberAsRight,
          .scores = numberScores,
          .facets = numberFacets};
}

}  // namespace fathom
