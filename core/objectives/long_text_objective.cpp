// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/long_text_objective.h"

#include <algorithm>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/nn/models/model_choice.h"
#include "core/objectives/part_evaluation.h"

namespace fathom {

namespace {

Error noHeadForDocuments(const Model& model) {
  return usageError(Phrase::tr("model '%1' has no head for long documents")(model.id()),
                    Phrase::tr("choose %1")(whoGives(Representation::States)));
}

const LongModel& longModelOf(const Model& model) {
  if (const auto* longs = capability<LongModel>(model)) return *longs;
  throw Failure(noHeadForDocuments(model));
}

constexpr std::int64_t kWindowsAtOnce = 8;  // where no gradient is asked for: a page may have hundreds

// Rows of a batch. What is not one a row (numbers of examples, raggeds) stays as it is.
DeviceBatch someRows(const DeviceBatch& batch, std::int64_t first, std::int64_t count) {
  const std::int64_t rows = batch.array("tokens").size(0);
  DeviceBatch some = batch;
  for (auto* arrays : {&some.arrays, &some.onHost})
    for (auto& [name, array] : *arrays)
      if (array.dim() > 0 && array.size(0) == rows) array = array.narrow(0, first, count);
  return some;
}

std::vector<Prediction> predictionsOn(
    const HeadOutputs& outputs, const std::function<std::vector<Prediction>(const HeadOutputs&)>& make) {
  HeadOutputs exact;
  for (const torch::Tensor& one : outputs) exact.push_back(one.to(torch::kCPU, torch::kFloat64).contiguous());
  return make(exact);
}

}  // namespace

LongBatch longBatchOf(const DeviceBatch& batch) {
  const auto places = [&](const char* name) { return batch.host(name).contiguous(); };
  LongBatch both;
  both.tokens = batch.array("tokens");
  both.segments = batch.array("segments");
  both.globalTokens = batch.array("global_tokens");
  both.globalSegments = batch.array("global_segments");
  both.structure.sentence = places("sentence");
  both.structure.paragraph = places("paragraph");
  both.structure.link = places("link");
  both.structure.context = places("context");
  both.structure.globalContext = places("global_context");
  both.structure.everything = places("global_everything");
  return both;
}

torch::Tensor longPadding(const DeviceBatch& batch) {
  return batch.array("context").eq(0);
}
torch::Tensor globalPadding(const DeviceBatch& batch) {
  return batch.array("global_context").eq(0);
}

LongBatch LongTextObjective::input(const DeviceBatch& batch) const {
  return longBatchOf(batch);
}

HeadOutputs LongTextObjective::outputsOf(const Model& model, const DeviceBatch& batch,
                                         const StepContext& context) const {
  const LongModel& longs = longModelOf(model);
  const std::int64_t rows = batch.array("tokens").size(0);
  if (at::GradMode::is_enabled() || context.observer != nullptr || context.training || rows <= kWindowsAtOnce)
    return outputs(longs, longs.streams(input(batch), context), batch);
  std::vector<std::vector<torch::Tensor>> parts;
  for (std::int64_t first = 0; first < rows; first += kWindowsAtOnce) {
    const DeviceBatch some = someRows(batch, first, std::min(kWindowsAtOnce, rows - first));
    HeadOutputs own = outputs(longs, longs.streams(input(some), context), some);
    parts.resize(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) parts[i].push_back(std::move(own[i]));
  }
  HeadOutputs all;
  for (const auto& part : parts) all.push_back(at::cat(part));
  return all;
}

LossTerms LongTextObjective::forward(const Model& model, const DeviceBatch& batch,
                                     const StepContext& context) const {
  const HeadOutputs all = outputsOf(model, batch, context);
  if (brings(batch, longModelOf(model))) return terms(all, batch);
  const double none = 0;  // whoever only looks needs no gold
  return {all.front().sum() * none, batch.targetUnits, {}};
}

TokenMasks LongTextObjective::realTokens(const DeviceBatch& batch) const {
  TokenMasks masks{longPadding(batch).logical_not(), {}};
  masks.global = globalPadding(batch).logical_not();
  return masks;
}

NamedValues LongTextObjective::trainingValues(double lossSum, double units, const NamedValues& means) const {
  return lossAndMeans(lossSum, units, means);
}

Evaluation LongTextObjective::evaluate(const Model& model, const Task& task,
                                       const EvaluationRequest& request) const {
  const torch::NoGradGuard noGrad;
  return evaluatePart(task, request, model.parameters().options().device(), [&](const DeviceBatch& batch) {
    const HeadOutputs all = outputsOf(model, batch, {.seed = request.seed});
    JudgedBatch judged;
    if (brings(batch, longModelOf(model))) judged.take(terms(all, batch));
    if (request.predictions)
      judged.predictions =
          predictionsOn(all, [&](const HeadOutputs& exact) { return predictions(exact, batch); });
    return judged;
  });
}

std::vector<Prediction> LongTextObjective::predict(const Model& model, const DeviceBatch& batch,
                                                   std::string_view, const StopToken& stop) const {
  if (stop.stopRequested()) throw Failure(interruptedError());
  const torch::NoGradGuard noGrad;
  return predictionsOn(outputsOf(model, batch, {}),
                       [&](const HeadOutputs& exact) { return predictions(exact, batch); });
}

std::vector<OptionRule> longHeadRules(const std::string& head, const char* whyHead) {
  std::vector<OptionRule> rules = {
      modelForHeads({head}, "long documents are read by an encoder of two streams: choose ETC")};
  addRules(rules, headRules({head}, whyHead));
  addRules(rules, readingRules({head}, "segments", OptionClause::Test::AtMost, 7, {},
                               "tokens of tasks are of eight kinds"));
  return rules;
}

Status acceptsLong(const Model& model) {
  if (capability<LongModel>(model) != nullptr) return {};
  return aboutKey("model", noHeadForDocuments(model));
}

}  // namespace fathom
