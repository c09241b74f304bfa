// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/glue/glue_scoring.h"

#include <algorithm>

#include "core/tasks/encoded_text_task.h"
#include "core/tasks/glue/glue_metrics.h"

namespace fathom {

namespace {

TaskScore hundredfold(const std::string& id, const std::string& title, GlueValue value) {
  TaskScore score;
  score.id = id;
  score.title = title;
  score.value = 100 * value.fraction;
  score.details = std::move(value.details);
  return score;
}

TaskScore scoreOf(const GlueMetric& metric, GlueValue value) {
  return hundredfold(metric.id, metric.title, std::move(value));
}

GlueAnswers classAnswers(const std::vector<std::string>& classes, const std::vector<double>& labels,
                         const std::vector<const Prediction*>& predictions, std::size_t begin,
                         std::size_t end) {
  GlueAnswers answers;
  answers.classes = classes;
  for (std::size_t i = begin; i < end; ++i) {
    answers.predicted.push_back(predictions[i]->ids.at(0));
    answers.gold.push_back(static_cast<std::int64_t>(labels[i]));
  }
  return answers;
}

std::vector<TaskScore> scoresOfClasses(const GlueRule& rule, const std::vector<std::string>& classes,
                                       const std::vector<double>& labels,
                                       const std::vector<const Prediction*>& predictions,
                                       std::size_t matched) {
  const GlueAnswers answers = classAnswers(classes, labels, predictions, 0, matched);
  std::vector<std::string> ids = rule.metrics;
  // A metric that only chooses checkpoints says little of what is confused.
  const std::string accuracy = glueMetricTable().front().id;
  if (ids.front() != accuracy) {
    std::erase(ids, accuracy);
    ids.push_back(accuracy);
  }
  std::vector<TaskScore> list;
  for (const std::string& id : ids)
    if (auto value = glueMetric(id).of(answers)) list.push_back(scoreOf(glueMetric(id), std::move(*value)));
  if (matched < labels.size())
    list.push_back(hundredfold(
        "accuracy_mm", "Accuracy, mismatched (%)",
        *glueMetric(accuracy).of(classAnswers(classes, labels, predictions, matched, labels.size()))));
  return list;
}

std::vector<TaskScore> scoresOfNumbers(const std::vector<double>& labels,
                                       const std::vector<const Prediction*>& predictions) {
  GlueAnswers answers;
  answers.labels = labels;
  double squares = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double value = predictions[i]->details.at("value").get<double>();
    answers.values.push_back(value);
    squares += (value - labels[i]) * (value - labels[i]);
  }
  std::vector<TaskScore> list;
  Json undefined = Json::object();
  for (const std::string& id : glueMetricIds(true)) {
    if (auto value = glueMetric(id).of(answers))
      list.push_back(scoreOf(glueMetric(id), std::move(*value)));
    else
      undefined[id] = "labels or predictions are all equal";
  }
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
  Metrics own;
  for (const GlueMetric& metric : glueMetricTable()) {
    own.push_back(metric.scalar);
    if (own.size() == 1)
      own.push_back({"valid.accuracy_mm", "validation accuracy, mismatched", "accuracy (mm)", "%",
                     kHigherIsBetter, 0, 2});
  }
  own.push_back({"mse", "training squared error", "", "", kLowerIsBetter, 0, 4});
  own.push_back({"valid.mse", "validation squared error", "squared error", "", kLowerIsBetter, 0, 4});
  return encodedTextMetrics(own);
}

}  // namespace fathom
