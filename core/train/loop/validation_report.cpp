// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/validation_report.h"

#include <algorithm>
#include <vector>

#include "core/tasks/example_sample.h"
#include "core/tasks/run_metrics.h"

namespace fathom {

std::optional<double> deciding(const Evaluation& evaluation, const OptionValues& options,
                               const std::string& bestBy) {
  if (bestBy != "score") return evaluation.nll;
  if (evaluation.scores.empty()) return std::nullopt;
  const TaskScore& first = evaluation.scores.front();
  const Metrics metrics = metricsOfTask(options.text("task"));
  const Metric* metric = findMetric(metrics, "valid." + first.id);
  const bool lower = metric != nullptr && metric->direction == MetricDirection::Lower;
  return lower ? first.value : -first.value;
}

Json sampleItems(const Task& task, std::int64_t samples, const Evaluation& evaluation) {
  Json items = Json::array();
  if (samples == 0 || evaluation.predictions.empty()) return items;
  const std::vector<ExampleId> chosen = sampleExamples(task, DataSplit::Validation, samples).examples;
  std::vector<const Prediction*> shown;
  for (const Prediction& prediction : evaluation.predictions)
    if (std::binary_search(chosen.begin(), chosen.end(), prediction.example)) shown.push_back(&prediction);
  std::sort(shown.begin(), shown.end(),
            [](const Prediction* a, const Prediction* b) { return a->example < b->example; });
  for (const Prediction* prediction : shown) {
    Json item = Json::object();
    for (const auto& [name, text] : task.exampleTexts(DataSplit::Validation, prediction->example))
      item[name] = text;
    item["hypothesis"] = prediction->text;
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace fathom
