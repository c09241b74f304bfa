// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/predictions/judged_text.h"

#include <cmath>

#include "core/analysis/statistics/paper_table.h"

namespace fathom {

namespace {

Json numberOrNull(double value) {
  return std::isnan(value) ? Json() : Json(value);
}

}  // namespace

Json pairNumbersJson(const ReviewKind& kind, const ReviewPair& pair) {
  const double factor = kind.comparedFactor;
  return {{"only_first", pair.onlyFirst},
          {"only_second", pair.onlySecond},
          {"p", numberOrNull(pair.p)},
          {"difference", numberOrNull(factor * pair.difference)},
          {"low", numberOrNull(factor * pair.low)},
          {"high", numberOrNull(factor * pair.high)}};
}

Json judgedJson(const JudgedReview& judged) {
  return {{"judged", judged.judged}, {"left_out", judged.leftOut}, {"right_after_all", judged.rightAfterAll}};
}

std::vector<std::string> pairColumns(const ReviewKind& kind) {
  return {"only first right", "only second right", kind.test == PairTest::McNemar ? "McNemar p" : "p",
          "difference: " + kind.compared.english(), "bootstrap 95 %"};
}

std::vector<std::string> pairCells(const ReviewKind& kind, const ReviewPair& pair) {
  if (std::isnan(pair.difference)) return {"0", "0", "-", "-", "-"};
  const double factor = kind.comparedFactor;
  return {std::to_string(pair.onlyFirst), std::to_string(pair.onlySecond), probabilityText(pair.p, 4),
          fixedText(factor * pair.difference, 2),
          fixedText(factor * pair.low, 2) + " to " + fixedText(factor * pair.high, 2)};
}

std::string peoplesPairsText(const JudgedReview& judged, const std::vector<ReviewPair>& byPeople) {
  if (byPeople.empty()) return {};
  const Review& review = judged.review;
  std::vector<std::string> head = {"first", "second"};
  for (std::string& column : pairColumns(*review.kind)) head.push_back(std::move(column));
  TextTable table(head);
  for (const ReviewPair& pair : byPeople) {
    std::vector<std::string> row = {review.models[pair.first].name, review.models[pair.second].name};
    for (std::string& cell : pairCells(*review.kind, pair)) row.push_back(std::move(cell));
    table.addRow(std::move(row));
  }
  return "\nby people's verdicts\n" + table.text() + judged.words().english() + "\n";
}

}  // namespace fathom
