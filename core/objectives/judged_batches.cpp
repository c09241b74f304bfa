// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/judged_batches.h"

#include <iterator>
#include <utility>

#include "core/base/errors/phrase.h"

namespace fathom {

namespace {

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

// The batches of this process. Throws Failure(interrupted) when stopped.
std::vector<JudgedBatch> judgeOwn(const Task& task, const EvaluationRequest& request,
                                  const torch::Device& device,
                                  const std::function<JudgedBatch(const DeviceBatch&)>& judge) {
  const std::int64_t batches = beginPart(task, request);
  std::vector<JudgedBatch> own;
  for (std::int64_t i = 0; i < batches; ++i) {
    if (request.share != nullptr && !request.share->mine(i)) continue;
    if (request.stop.stopRequested()) throw Failure(interruptedError());
    own.push_back(judge(toDevice(task.makeBatch(request.split, i), device)));
    own.back().batch = i;
    if (request.progress != nullptr) request.progress->report(static_cast<double>(i + 1));
  }
  return own;
}

}  // namespace

void JudgedBatch::take(const LossTerms& terms) {
  gold = true;
  loss = terms.loss.item<double>();
  units = static_cast<double>(terms.units);
  sums.clear();
  for (const LossSum& one : terms.sums) sums.push_back({one.name, one.sum.item<double>(), one.count});
}

std::optional<std::vector<JudgedBatch>> judgePart(
    const Task& task, const EvaluationRequest& request, const torch::Device& device,
    const std::function<JudgedBatch(const DeviceBatch&)>& judge) {
  if (request.share == nullptr) return judgeOwn(task, request, device, judge);
  std::optional<std::vector<JudgedBatch>> own;
  try {
    own = judgeOwn(task, request, device, judge);
  } catch (const Failure& failure) {
    if (failure.error().kind != ErrorKind::Interrupted) throw;
  }
  return request.share->meet(std::move(own));
}

PartSums sumsOf(const std::vector<JudgedBatch>& batches) {
  PartSums all;
  for (const JudgedBatch& judged : batches) {
    all.gold = all.gold && judged.gold;
    if (!all.gold) return all;
    all.loss += judged.loss;
    all.units += judged.units;
    all.sums.resize(judged.sums.size());
    for (std::size_t s = 0; s < judged.sums.size(); ++s) {
      all.sums[s].name = judged.sums[s].name;
      all.sums[s].sum += judged.sums[s].sum;
      all.sums[s].count += judged.sums[s].count;
    }
  }
  return all;
}

std::vector<Prediction> takePredictions(std::vector<JudgedBatch>& batches) {
  std::vector<Prediction> all;
  for (JudgedBatch& judged : batches)
    all.insert(all.end(), std::make_move_iterator(judged.predictions.begin()),
               std::make_move_iterator(judged.predictions.end()));
  return all;
}

}  // namespace fathom
