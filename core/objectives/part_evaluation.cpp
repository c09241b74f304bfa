// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/part_evaluation.h"

#include <algorithm>

namespace fathom {

namespace {

// The loss and the means of the sums; the first of them is what the evaluation is judged by.
void writeSums(const PartSums& sums, Evaluation& result) {
  if (sums.units <= 0) return;
  result.values = {{"loss", sums.loss / sums.units}};
  for (const JudgedBatch::Sum& one : sums.sums)
    result.values.emplace_back(one.name, one.sum / std::max(one.count, 1.0));
  result.nll = result.values[1].second;
}

}  // namespace

Evaluation evaluatePart(const Task& task, const EvaluationRequest& request, const torch::Device& device,
                        const std::function<JudgedBatch(const DeviceBatch&)>& judge) {
  Evaluation result;
  auto batches = judgePart(task, request, device, judge);
  if (!batches) return result;
  const PartSums sums = sumsOf(*batches);
  if (sums.gold) writeSums(sums, result);
  if (!request.predictions) return result;
  result.predictions = takePredictions(*batches);
  task.complete(result.predictions);
  if (!sums.gold) return result;
  result.scores = task.score(request.split, result.predictions).value();
  for (const TaskScore& score : result.scores) {
    const bool named = std::any_of(result.values.begin(), result.values.end(),
                                   [&](const auto& value) { return value.first == score.id; });
    if (!named) result.values.emplace_back(score.id, score.value);
  }
  return result;
}

bool brings(const DeviceBatch& batch, const EncoderModel& model) {
  const std::vector<std::string>& wanted = model.headEntry().lossInputs;
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
    return batch.arrays.contains(name) || batch.raggeds.contains(name);
  });
}

NamedValues lossAndMeans(double lossSum, double units, const NamedValues& means) {
  NamedValues values{{"loss", lossSum / units}};
  values.insert(values.end(), means.begin(), means.end());
  return values;
}

}  // namespace fathom
