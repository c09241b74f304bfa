// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/review_tables.h"

#include <algorithm>
#include <cmath>

#include "views/figures/review_figure.h"

namespace fathom {

namespace {

void addPair(const Review& review, const ReviewPair& pair, PaperTable& table) {
  const double factor = review.kind->comparedFactor;
  const bool known = !std::isnan(pair.difference);
  table.rows.push_back({markupOf(review.models[pair.first].name), markupOf(review.models[pair.second].name),
                        double(pair.onlyFirst), double(pair.onlySecond), pair.p, factor * pair.difference,
                        known ? fixedText(factor * pair.low, 2) + " … " + fixedText(factor * pair.high, 2)
                              : std::string("-")});
}

}  // namespace

PaperTable scoresTable(const Review& review) {
  PaperTable table;
  table.label = "tab:review";
  table.columns = {{QT_TRANSLATE_NOOP("Command", "system")}};
  if (review.models.empty()) return table;
  for (const ReviewScore& score : review.models.front().scores)
    table.columns.push_back({markupOf(score.title.english()), score.decimals});
  table.columns.push_back({QT_TRANSLATE_NOOP("Command", "wrong"), 0});
  table.columns.push_back({QT_TRANSLATE_NOOP("Command", "missing"), 0});
  for (const ReviewModel& model : review.models) {
    auto& row = table.rows.emplace_back();
    row.emplace_back(markupOf(model.name));
    for (const ReviewScore& score : model.scores) row.emplace_back(score.value.value_or(kNaN));
    row.emplace_back(double(std::count_if(model.verdicts.begin(), model.verdicts.end(),
                                          [](const ReviewVerdict& verdict) { return verdict.wrong; })));
    row.emplace_back(double(model.missing));
  }
  return table;
}

CellSelections scoresCells(const Review& review) {
  CellSelections cells;
  for (const ReviewModel& model : review.models) {
    std::vector<std::size_t> wrong, missing;
    for (std::size_t i = 0; i < model.verdicts.size(); ++i) {
      if (model.verdicts[i].wrong) wrong.push_back(i);
      if (!model.outputs[i].given) missing.push_back(i);
    }
    auto& row = cells.emplace_back(1 + model.scores.size(), reviewSelection(model.name));
    for (const auto* examples : {&wrong, &missing}) row.push_back(selectionOfExamples(model.name, *examples));
  }
  return cells;
}

PaperTable examplesTable(const Review& review, const std::vector<std::vector<std::uint8_t>>& categories,
                         const std::vector<int>& examples) {
  const auto inOneLine = [](const std::string& text) { return markupOf(collapsedText(text)); };
  PaperTable table;
  table.label = "tab:examples";
  table.columns = {{QT_TRANSLATE_NOOP("Command", "#"), 0},
                   {QT_TRANSLATE_NOOP("Command", "example")},
                   {QT_TRANSLATE_NOOP("Command", "gold")}};
  for (const ReviewModel& model : review.models) {
    table.columns.push_back({markupOf(model.name)});
    table.columns.push_back({QT_TRANSLATE_NOOP("Command", "category")});
  }
  for (const int number : examples) {
    const auto index = static_cast<std::size_t>(number);
    const ReviewExample& example = review.gold.examples[index];
    std::string gold;
    for (const std::string& reference : example.references) gold += (gold.empty() ? "" : " | ") + reference;
    auto& row = table.rows.emplace_back();
    row.assign({double(number), inOneLine(headlineOf(example)), inOneLine(gold)});
    for (std::size_t m = 0; m < review.models.size(); ++m) {
      row.emplace_back(inOneLine(review.models[m].outputs[index].text));
      row.emplace_back(markupOf(review.kind->categories[categories[m][index]].title.english()));
    }
  }
  return table;
}

PaperTable pairsTable(const Review& review, const JudgedPairs& pairs) {
  PaperTable table;
  table.label = "tab:pairs";
  const bool exact = review.kind->test == PairTest::McNemar;
  table.caption =
      exact ? "Models in pairs: examples that only one of them has right, McNemar's exact test, and "
              "the difference with its 95 % interval by paired bootstrap."
            : "Models in pairs: examples that only one of them has right, and the difference with "
              "its 95 % interval and p by paired bootstrap.";
  table.columns = {{QT_TRANSLATE_NOOP("Command", "A")},
                   {QT_TRANSLATE_NOOP("Command", "B")},
                   {QT_TRANSLATE_NOOP("Command", "A right, B wrong"), 0},
                   {QT_TRANSLATE_NOOP("Command", "B right, A wrong"), 0},
                   {exact ? QT_TRANSLATE_NOOP("Command", "McNemar p") : QT_TRANSLATE_NOOP("Command", "p"), 4},
                   {markupOf("A - B: " + review.kind->compared.english()), 2},
                   {QT_TRANSLATE_NOOP("Command", "95 %")}};
  const bool byPeople = !pairs.byPeople.empty();
  if (byPeople) {
    table.columns.push_back({QT_TRANSLATE_NOOP("Command", "verdicts")});
    table.caption += " " + markupOf(pairs.judged.words().english());
  }
  for (std::size_t i = 0; i < pairs.byMetric.size(); ++i) {
    addPair(review, pairs.byMetric[i], table);
    if (!byPeople) continue;
    table.rows.back().emplace_back(QT_TRANSLATE_NOOP("TableWord", "metric"));
    addPair(review, pairs.byPeople[i], table);
    table.rows.back().emplace_back(QT_TRANSLATE_NOOP("TableWord", "people"));
  }
  return table;
}

}  // namespace fathom
