// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/encoded_text_objective.h"

#include <algorithm>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/nn/models/bert.h"
#include "core/objectives/part_walk.h"
#include "core/objectives/position_rules.h"

namespace fathom {

namespace {

constexpr std::int64_t kRowsAtOnce = 64;  // where no gradient is asked for

const Bert& bertModel(const Model& model) {
  const auto* bert = dynamic_cast<const Bert*>(&model);
  if (bert == nullptr)
    throw Failure(usageError(Phrase::tr("model '%1' has no head for texts")(model.id()),
                             Phrase::tr("choose bert or extra_layers")));
  return *bert;
}

EncoderFeatures::Encode frozenStates(const Bert& bert) {
  return [&bert](const TextBatch& rows) { return bert.frozenStates(rows).flatten(0, 1); };
}

TextBatch rowsOf(const TextBatch& text, std::int64_t first, std::int64_t count) {
  const auto cut = [&](const torch::Tensor& all) {
    return all.defined() ? all.narrow(0, first, count) : all;
  };
  const TextOnHost& host = text.onHost;
  TextBatch some{cut(text.tokens),
                 cut(text.segments),
                 cut(text.padding),
                 {cut(host.tokens), cut(host.segments), cut(host.lengths)}};
  if (some.padding.defined() && some.onHost.lengths.min().item<std::int64_t>() == some.tokens.size(1))
    some.padding = torch::Tensor();
  return some;
}

}  // namespace

bool EncodedTextObjective::prepare(const Model& model, const Task& task, const PrepareRequest& request) {
  const Bert& bert = bertModel(model);
  if (!bert.keepsStates()) return false;
  const std::string encoder = frozenEncoderHash(model, m_options);
  const auto* beside = dynamic_cast<const EncodedTextObjective*>(request.beside);
  if (beside != nullptr && m_features.takeFrom(beside->m_features, encoder)) return !bert.encoderLearns();
  m_features.prepare(task, encoder, frozenStates(bert), request, model.parameters().options());
  return m_features.rows() > 0 && !bert.encoderLearns();
}

// Who looks into an encoder of which a part learns looks into the whole.
static bool looksBelow(const Bert& bert, const ForwardObserver* observer) {
  if (observer == nullptr) return false;
  return observer->watchesFrozenParts() || (bert.encoderLearns() && !observer->layerInputsAlone());
}

torch::Tensor EncodedTextObjective::states(const Model& model, const TextBatch& text,
                                           const StepContext& context) const {
  const Bert& bert = bertModel(model);
  if (!bert.keepsStates() || looksBelow(bert, context.observer)) return bert.headStates(text, context);
  const torch::Tensor kept = m_features.states(text, frozenStates(bert), model.parameters().options())
                                 .view({text.tokens.size(0), text.tokens.size(1), -1});
  return bert.headStatesAbove(kept, text, context);
}

torch::Tensor EncodedTextObjective::logits(const Model& model, const DeviceBatch& batch,
                                           const StepContext& context) const {
  const Bert& bert = bertModel(model);
  const TextBatch text = pieceRows(batch);
  const std::int64_t rows = text.tokens.size(0);
  if (at::GradMode::is_enabled() || context.observer != nullptr || context.training || rows <= kRowsAtOnce)
    return bert.taskLogits(states(model, text, context), context);
  std::vector<torch::Tensor> parts;
  for (std::int64_t first = 0; first < rows; first += kRowsAtOnce) {
    const TextBatch some = rowsOf(text, first, std::min(kRowsAtOnce, rows - first));
    parts.push_back(bert.taskLogits(states(model, some, context), context));
  }
  return at::cat(parts);
}

LossTerms EncodedTextObjective::forward(const Model& model, const DeviceBatch& batch,
                                        const StepContext& context) const {
  const torch::Tensor all = logits(model, batch, context);
  if (hasGold(batch)) return terms(all, batch);
  const double none = 0;  // whoever only looks needs no gold
  return {all.sum() * none, batch.targetUnits, {}};
}

TokenMasks EncodedTextObjective::realTokens(const DeviceBatch& batch) const {
  const torch::Tensor padding = pieceRows(batch).padding;
  return {padding.defined() ? padding.logical_not() : torch::Tensor(), {}};
}

NamedValues EncodedTextObjective::trainingValues(double lossSum, double units,
                                                 const NamedValues& means) const {
  return lossAndMeans(lossSum, units, means);
}

Evaluation EncodedTextObjective::evaluate(const Model& model, const Task& task,
                                          const EvaluationRequest& request) const {
  const torch::NoGradGuard noGrad;
  return evaluatePart(task, request, model.parameters().options().device(), [&](const DeviceBatch& batch) {
    const torch::Tensor all = logits(model, batch, {.seed = request.seed});
    JudgedBatch judged;
    if (hasGold(batch)) judged.terms = terms(all, batch);
    if (request.predictions) judged.predictions = predictions(all.to(torch::kCPU, torch::kFloat64), batch);
    return judged;
  });
}

std::vector<Prediction> EncodedTextObjective::predict(const Model& model, const DeviceBatch& batch,
                                                      std::string_view, const StopToken& stop) const {
  if (stop.stopRequested()) throw Failure(interruptedError());
  const torch::NoGradGuard noGrad;
  return predictions(logits(model, batch, {}).to(torch::kCPU, torch::kFloat64), batch);
}

std::vector<OptionRule> encoderHeadRules(const std::string& head, const char* whyHead,
                                         const std::string& lengthKey) {
  std::vector<OptionRule> rules = positionTableRules(lengthKey);
  rules.insert(rules.begin(),
               {{.when = {{"model", OptionClause::Test::NotIn, {"bert", "extra_layers"}}},
                 .reason = "texts are read by an encoder: choose BERT, alone or with extra layers",
                 .keys = {"model"}},
                {.when = {{"model.bert.head", OptionClause::Test::NotIn, {head}}},
                 .reason = whyHead,
                 .keys = {"model.bert.head"}},
                {.when = {{"model.bert.segments", OptionClause::Test::AtMost, {1}},
                          {"text.vocabulary.kind", OptionClause::Test::NotIn, {"byte_bpe"}}},
                 .reason = "a pair of texts needs two segment kinds",
                 .keys = {"model.bert.segments"}}});
  return rules;
}

Status acceptsEncoder(const Model& model) {
  if (dynamic_cast<const Bert*>(&model) != nullptr) return {};
  return aboutKey("model", usageError(Phrase::tr("model '%1' has no head for texts")(model.id()),
                                      Phrase::tr("choose bert or extra_layers")));
}

void checkPositions(const OptionValues& options, const Task& task, const std::string& lengthKey) {
  const std::string rule = options.text("model.bert.positions");
  const std::int64_t first = rule == "row" ? 0 : rule == "non_pad" ? task.sizes().at("pad_id") + 1 : 2;
  const std::int64_t needed = first + task.sizes().at("longest");
  const std::int64_t rows = options.integer("model.bert.max_positions");
  if (needed <= rows) return;
  throw Failure(aboutKey(
      "model.bert.max_positions",
      usageError(Phrase::tr("model.bert.max_positions=%1: the longest example needs %2")(rows, needed),
                 Phrase::tr("raise it, or lower %1")(lengthKey))));
}

}  // namespace fathom
