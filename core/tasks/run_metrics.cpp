// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/run_metrics.h"

#include "core/tasks/task.h"

namespace fathom {

namespace {

// Of every objective: the loss of an update and its mean negative log likelihood (Objective::trainingValues),
// and the same of a validation.
Metrics objectiveMetrics() {
  constexpr const char* kNats = "nats per token";
  return {{.id = "loss",
           .title = "training loss",
           .unit = kNats,
           .direction = MetricDirection::Lower,
           .headline = 3,
           .decimals = 3},
          {.id = "nll",
           .title = "training nll",
           .unit = kNats,
           .direction = MetricDirection::Lower,
           .decimals = 3},
          {.id = "ppl", .title = "training perplexity", .direction = MetricDirection::Lower, .decimals = 2},
          {.id = "valid.loss",
           .title = "validation loss",
           .unit = kNats,
           .direction = MetricDirection::Lower,
           .decimals = 3},
          {.id = "valid.nll",
           .title = "validation nll",
           .unit = kNats,
           .direction = MetricDirection::Lower,
           .headline = 2,
           .decimals = 3},
          {.id = "valid.ppl",
           .title = "validation perplexity",
           .shortTitle = "perplexity (e)",
           .direction = MetricDirection::Lower,
           .decimals = 2}};
}

// Of the training loop, whatever it trains (TrainingLoop::record, finishEpoch).
Metrics loopMetrics() {
  return {
      {.id = "epoch.loss",
       .title = "training loss of an epoch",
       .unit = "nats per token",
       .direction = MetricDirection::Lower,
       .decimals = 3},
      {.id = "lr", .title = "learning rate", .headline = 4},
      {.id = "grad_norm", .title = "gradient norm", .headline = 5},
      {.id = "loss_scale", .title = "loss scale of float16"},
      {.id = "tokens_per_s",
       .title = "target tokens per second",
       .shortTitle = "tokens/s",
       .direction = MetricDirection::Higher,
       .headline = 6,
       .decimals = 0},
  };
}

// The first declaration of an id counts.
void add(Metrics& metrics, const Metrics& more) {
  for (const Metric& metric : more)
    if (findMetric(metrics, metric.id) == nullptr) metrics.push_back(metric);
}

}  // namespace

Metrics metricsOfTask(std::string_view task) {
  Metrics metrics = objectiveMetrics();
  if (const TaskEntry* entry = findTask(task)) add(metrics, entry->metrics);
  add(metrics, loopMetrics());
  return metrics;
}

const Metrics& programMetrics() {
  static const Metrics kAll = [] {
    Metrics metrics = objectiveMetrics();
    for (const TaskEntry& entry : taskEntries()) add(metrics, entry.metrics);
    add(metrics, loopMetrics());
    return metrics;
  }();
  return kAll;
}

}  // namespace fathom
