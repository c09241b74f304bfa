// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/glue/glue_scoring.h"
#include "core/base/numbers/correlation.h"

#include <algorithm>

#include "core/tasks/encoded_text_task.h"
#include "core/tasks/glue/glue_scores.h"

namespace fathom {

namespace {

TaskScore hundredfold(const char* id, const char* title, double fraction, Json details) {
  TaskScore score;
  score.id = id;
  score.title = title;
  score.value = 100 * fraction;
  score.details = std::move(details);
  return score;
}

struct ClassPairs {
  std::vector<std::int64_t> predicted, gold;
};

ClassPairs classPairs(const std::vector<double>& labels, const std::vector<const Prediction*>& predictions,
                      std::size_t begin, std::size_t end) {
  ClassPairs pairs;
  for (std::size_t i = begin; i < end; ++i) {
    pairs.predicted.push_back(predictions[i]->ids.at(0));
    pairs.gold.push_back(static_cast<std::int64_t>(labels[i]));
  }
  return pairs;
}

Json classDetails(const ClassPairs& pairs, const ClassScores& scores,
                  const std::vector<std::string>& classes) {
  Json matrix = Json::array();
  for (std::size_t gold = 0; gold < classes.size(); ++gold)
    matrix.push_back(std::vector<std::int64_t>(classes.size(), 0));
  for (std::size_t i = 0; i < pairs.gold.size(); ++i) {
    Json& cell =
        matrix[static_cast<std::size_t>(pairs.gold[i])][static_cast<std::size_t>(pairs.predicted[i])];
    cell = cell.get<std::int64_t>() + 1;
  }
  return {{"right", scores.right}, {"all", scores.all}, {"classes", classes}, {"confusion", matrix}};
}

// A score that a single class leaves without meaning is 0 by its definition; the details say so.
Json noteOneClass(const ClassPairs& pairs) {
  const auto oneValue = [](const std::vector<std::int64_t>& values) {
    return std::all_of(values.begin(), values.end(), [&](std::int64_t v) { return v == values.front(); });
  };
  Json details = Json::object();
  if (oneValue(pairs.gold))
    details["undefined"] = "all examples have one label: 0 by definition";
  else if (oneValue(pairs.predicted))
    details["undefined"] = "one label is predicted throughout: 0 by definition";
  return details;
}

Json f1Details(const ClassScores& scores, const std::string& positive) {
  Json details = {{"positive", positive}};
  if (scores.truePositive + scores.falsePositive + scores.falseNegative == 0)
    details["undefined"] = "no example has or is given the positive label: 0 by definition";
  return details;
}

std::vector<TaskScore> scoresOfClasses(const GlueRule& rule, const std::vector<std::string>& classes,
                                       const std::vector<double>& labels,
                                       const std::vector<const Prediction*>& predictions,
                                       std::size_t matched) {
  const ClassPairs pairs = classPairs(labels, predictions, 0, matched);
  const ClassScores scores = classScores(pairs.predicted, pairs.gold);
  std::vector<TaskScore> list;
  for (const GlueMetric metric : rule.metrics) {
    if (metric == GlueMetric::Accuracy)
      list.push_back(
          hundredfold("accuracy", "Accuracy (%)", scores.accuracy, classDetails(pairs, scores, classes)));
    if (metric == GlueMetric::F1 && classes.size() == 2)
      list.push_back(hundredfold("f1", "F1 (%)", scores.f1, f1Details(scores, classes[1])));
    if (metric == GlueMetric::Matthews)
      list.push_back(
          hundredfold("matthews", "Matthews correlation (×100)",
                      classes.size() == 2 ? scores.matthews : matthewsOfClasses(pairs.predicted, pairs.gold),
                      noteOneClass(pairs)));
  }
  // A metric that only chooses checkpoints says little of what is confused.
  if (rule.metrics.front() == GlueMetric::Matthews)
    list.push_back(
        hundredfold("accuracy", "Accuracy (%)", scores.accuracy, classDetails(pairs, scores, classes)));
  if (matched < labels.size()) {
    const ClassPairs other = classPairs(labels, predictions, matched, labels.size());
    const ClassScores mismatched = classScores(other.predicted, other.gold);
    list.push_back(hundredfold("accuracy_mm", "Accuracy, mismatched (%)", mismatched.accuracy,
                               classDetails(other, mismatched, classes)));
  }
  return list;
}

std::vector<TaskScore> scoresOfNumbers(const std::vector<double>& labels,
                                       const std::vector<const Prediction*>& predictions) {
  std::vector<double> values;
  double squares = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    values.push_back(predictions[i]->details.at("value").get<double>());
    squares += (values[i] - labels[i]) * (values[i] - labels[i]);
  }
  std::vector<TaskScore> list;
  Json undefined = Json::object();
  const auto add = [&](const char* id, const char* title, std::optional<double> value) {
    if (value)
      list.push_back(hundredfold(id, title, *value, Json::object()));
    else
      undefined[id] = "labels or predictions are all equal";
  };
  add("pearson", "Pearson correlation (×100)", pearson(values, labels));
  add("spearman", "Spearman correlation (×100)", spearman(values, labels));
  TaskScore mse;
  mse.id = "mse";
  mse.title = "Mean squared error";
  mse.value = squares / static_cast<double>(labels.size());
  mse.details = {{"all", labels.size()}};
  if (!undefined.empty()) mse.details["undefined"] = undefined;
  list.push_back(std::move(mse));
  return list;
}

}  // namespace

std::vector<TaskScore> glueScores(const GlueRule& rule, const std::vector<std::string>& classes,
                                  const std::vector<double>& labels,
                                  const std::vector<const Prediction*>& predictions, std::int64_t matched) {
  if (rule.number) return scoresOfNumbers(labels, predictions);
  return scoresOfClasses(rule, classes, labels, predictions, static_cast<std::size_t>(matched));
}

Metrics glueMetrics() {
  return encodedTextMetrics(
      {{"valid.accuracy", "validation accuracy", "accuracy", "%", kHigherIsBetter, 1, 2},
       {"valid.accuracy_mm", "validation accuracy, mismatched", "accuracy (mm)", "%", kHigherIsBetter, 0, 2},
       {"valid.f1", "validation F1", "F1", "%", kHigherIsBetter, 0, 2},
       {"valid.matthews", "validation Matthews correlation", "Matthews", "×100", kHigherIsBetter, 1, 2},
       {"valid.pearson", "validation Pearson correlation", "Pearson", "×100", kHigherIsBetter, 1, 2},
       {"valid.spearman", "validation Spearman correlation", "Spearman", "×100", kHigherIsBetter, 0, 2},
       {"mse", "training squared error", "", "", kLowerIsBetter, 0, 4},
       {"valid.mse", "validation squared error", "squared error", "", kLowerIsBetter, 0, 4}});
}

}  // namespace fathom
