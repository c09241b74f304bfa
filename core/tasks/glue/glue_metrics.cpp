// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/glue/glue_metrics.h"

#include <algorithm>

#include "core/base/numbers/correlation.h"
#include "core/tasks/glue/glue_scores.h"

namespace fathom {

namespace {

std::optional<GlueValue> accuracyOf(const GlueAnswers& answers) {
  const ClassScores scores = classScores(answers.predicted, answers.gold);
  Json matrix = Json::array();
  for (std::size_t gold = 0; gold < answers.classes.size(); ++gold)
    matrix.push_back(std::vector<std::int64_t>(answers.classes.size(), 0));
  for (std::size_t i = 0; i < answers.gold.size(); ++i) {
    Json& cell =
        matrix[static_cast<std::size_t>(answers.gold[i])][static_cast<std::size_t>(answers.predicted[i])];
    cell = cell.get<std::int64_t>() + 1;
  }
  return GlueValue{
      scores.accuracy,
      {{"right", scores.right}, {"all", scores.all}, {"classes", answers.classes}, {"confusion", matrix}}};
}

std::optional<GlueValue> f1Of(const GlueAnswers& answers) {
  if (answers.classes.size() != 2) return std::nullopt;
  const ClassScores scores = classScores(answers.predicted, answers.gold);
  Json details = {{"positive", answers.classes[1]}};
  if (scores.truePositive + scores.falsePositive + scores.falseNegative == 0)
    details["undefined"] = "no example has or is given the positive label: 0 by definition";
  return GlueValue{scores.f1, std::move(details)};
}

// A score that a single class leaves without meaning is 0 by its definition; the details say so.
std::optional<GlueValue> matthewsOf(const GlueAnswers& answers) {
  const auto oneValue = [](const std::vector<std::int64_t>& values) {
    return std::all_of(values.begin(), values.end(), [&](std::int64_t v) { return v == values.front(); });
  };
  GlueValue value{answers.classes.size() == 2 ? classScores(answers.predicted, answers.gold).matthews
                                              : matthewsOfClasses(answers.predicted, answers.gold)};
  if (oneValue(answers.gold))
    value.details["undefined"] = "all examples have one label: 0 by definition";
  else if (oneValue(answers.predicted))
    value.details["undefined"] = "one label is predicted throughout: 0 by definition";
  return value;
}

std::optional<GlueValue> valueOfNumbers(std::optional<double> fraction) {
  return fraction ? std::optional(GlueValue{*fraction}) : std::nullopt;
}

std::optional<GlueValue> pearsonOf(const GlueAnswers& answers) {
  return valueOfNumbers(pearson(answers.values, answers.labels));
}

std::optional<GlueValue> spearmanOf(const GlueAnswers& answers) {
  return valueOfNumbers(spearman(answers.values, answers.labels));
}

}  // namespace

const std::vector<GlueMetric>& glueMetricTable() {
  static const std::vector<GlueMetric> table = {
      {"accuracy",
       "Accuracy (%)",
       "acc",
       false,
       accuracyOf,
       {"valid.accuracy", "validation accuracy", "accuracy", "%", kHigherIsBetter, 1, 2}},
      {"f1", "F1 (%)", "F1", false, f1Of, {"valid.f1", "validation F1", "F1", "%", kHigherIsBetter, 0, 2}},
      {"matthews",
       "Matthews correlation (×100)",
       "MC",
       false,
       matthewsOf,
       {"valid.matthews", "validation Matthews correlation", "Matthews", "×100", kHigherIsBetter, 1, 2}},
      {"pearson",
       "Pearson correlation (×100)",
       "PC",
       true,
       pearsonOf,
       {"valid.pearson", "validation Pearson correlation", "Pearson", "×100", kHigherIsBetter, 1, 2}},
      {"spearman",
       "Spearman correlation (×100)",
       "SC",
       true,
       spearmanOf,
       {"valid.spearman", "validation Spearman correlation", "Spearman", "×100", kHigherIsBetter, 0, 2}}};
  return table;
}

const GlueMetric& glueMetric(const std::string& id) {
  const auto& table = glueMetricTable();
  return *std::find_if(table.begin(), table.end(), [&](const GlueMetric& each) { return each.id == id; });
}

std::vector<std::string> glueMetricIds(bool ofNumbers) {
  std::vector<std::string> ids;
  for (const GlueMetric& metric : glueMetricTable())
    if (metric.ofNumbers == ofNumbers) ids.push_back(metric.id);
  return ids;
}

}  // namespace fathom
