// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/run_metrics.h"

#include "core/tasks/task.h"

namespace fathom {

namespace {

// Metrics of every objective: loss of an update, mean negative log likelihood (Objective::trainingValues),
// and the same of a validation.
Metrics objectiveMetrics() {
  return {{"loss", "training loss", "", kNatsPerToken, kLowerIsBetter, 3, 3},
          {"nll", "training nll", "", kNatsPerToken, kLowerIsBetter, 0, 3},
          {"ppl", "training perplexity", "", "", kLowerIsBetter, 0, 2},
          {"valid.loss", "validation loss", "", kNatsPerToken, kLowerIsBetter, 0, 3},
          {"valid.nll", "validation nll", "", kNatsPerToken, kLowerIsBetter, 2, 3},
          {"valid.ppl", "validation perplexity", "perplexity (e)", "", kLowerIsBetter, 0, 2}};
}

// Metrics of the training loop, whatever it trains (TrainingLoop::record, finishEpoch).
Metrics loopMetrics() {
  return {{"epoch.loss", "training loss of an epoch", "", kNatsPerToken, kLowerIsBetter, 0, 3},
          {.id = "lr", .title = "learning rate", .headline = 4},
          {.id = "grad_norm", .title = "gradient norm", .headline = 5},
          {.id = "loss_scale", .title = "loss scale of float16"},
          {"tokens_per_s", "target tokens per second", "tokens/s", "", kHigherIsBetter, 6, 2}};
}

// The first declaration of an id counts.
void add(Metrics& metrics, const Metrics& more) {
  for (const Metric& metric : more)
    if (findMetric(metrics, metric.id) == nullptr) metrics.push_back(metric);
}

// A task's own; what it says of a metric of the loop stands where those stand.
void addOfTask(Metrics& metrics, const TaskEntry& task) {
  for (const Metric& metric : task.metrics)
    if (findMetric(loopMetrics(), metric.id) == nullptr) add(metrics, {metric});
}

// Metrics in the words of a task's own declarations: a loss per example is none per token.
Metrics inWordsOf(const Metrics& own, Metrics metrics) {
  for (Metric& metric : metrics)
    if (const Metric* said = findMetric(own, metric.id)) metric = *said;
  return metrics;
}

}  // namespace

Metrics metricsOfTask(std::string_view task) {
  Metrics metrics = objectiveMetrics();
  const TaskEntry* entry = findTask(task);
  if (entry != nullptr) addOfTask(metrics, *entry);
  add(metrics, loopMetrics());
  return entry == nullptr ? metrics : inWordsOf(entry->metrics, std::move(metrics));
}

const Metrics& programMetrics() {
  static const Metrics kAll = [] {
    Metrics metrics = objectiveMetrics();
    for (const TaskEntry& entry : taskEntries()) addOfTask(metrics, entry);
    add(metrics, loopMetrics());
    return inWordsOf(loopMetrics(), std::move(metrics));  // a task's own words are its own
  }();
  return kAll;
}

}  // namespace fathom
