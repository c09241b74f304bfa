// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/part_evaluation.h"

#include <algorithm>

#include "core/base/errors/phrase.h"

namespace fathom {

namespace {

// Sums over the batches of a part.
struct PartSums {
  double loss = 0, units = 0;
  std::vector<std::pair<double, double>> sums;
  std::vector<std::string> names;
  void add(const LossTerms& terms) {
    loss += terms.loss.item<double>();
    units += static_cast<double>(terms.units);
    sums.resize(terms.sums.size());
    names.clear();
    for (std::size_t s = 0; s < terms.sums.size(); ++s) {
      sums[s].first += terms.sums[s].sum.item<double>();
      sums[s].second += terms.sums[s].count;
      names.push_back(terms.sums[s].name);
    }
  }
  void write(Evaluation& result) const {
    if (units <= 0) return;
    result.values = {{"loss", loss / units}};
    for (std::size_t s = 0; s < sums.size(); ++s)
      result.values.emplace_back(names[s], sums[s].first / std::max(sums[s].second, 1.0));
    result.nll = result.values[1].second;
  }
};

}  // namespace

std::int64_t beginPart(const Task& task, const EvaluationRequest& request) {
  const std::int64_t batches = task.batchCount(request.split);
  if (batches == 0)
    throw Failure(usageError(Phrase::tr("the %1 part is empty")(dataSplitName(request.split)),
                             Phrase::tr("name a file or a share for it")));
  if (request.progress != nullptr)
    request.progress->begin(Phrase::tr("evaluating").english, Phrase::tr("batches").english,
                            static_cast<double>(batches));
  return batches;
}

Evaluation evaluatePart(const Task& task, const EvaluationRequest& request, const torch::Device& device,
                        const std::function<JudgedBatch(const DeviceBatch&)>& judge) {
  const std::int64_t batches = beginPart(task, request);
  Evaluation result;
  PartSums sums;
  bool gold = true;
  for (std::int64_t i = 0; i < batches; ++i) {
    if (request.stop.stopRequested()) throw Failure(interruptedError());
    JudgedBatch judged = judge(toDevice(task.makeBatch(request.split, i), device));
    gold = gold && judged.terms.has_value();
    if (gold) sums.add(*judged.terms);
    for (Prediction& one : judged.predictions) result.predictions.push_back(std::move(one));
    if (request.progress != nullptr) request.progress->report(static_cast<double>(i + 1));
  }
  if (gold) sums.write(result);
  if (!request.predictions) return result;
  task.complete(result.predictions);
  if (!gold) return result;
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
