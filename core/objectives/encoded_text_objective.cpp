// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/encoded_text_objective.h"

#include <algorithm>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/nn/models/long_model.h"
#include "core/nn/models/model_choice.h"
#include "core/objectives/part_evaluation.h"

namespace fathom {

namespace {

constexpr std::int64_t kRowsAtOnce = 64;  // where no gradient is asked for

Error noHeadForTexts(const Model& model) {
  return usageError(Phrase::tr("model '%1' has no head for texts")(model.id()),
                    Phrase::tr("choose %1")(whoGives(Representation::Tokens)));
}

const EncoderModel& encoderModelOf(const Model& model) {
  if (const auto* encoder = capability<EncoderModel>(model)) return *encoder;
  throw Failure(noHeadForTexts(model));
}

EncoderFeatures::Encode frozenStates(const EncoderModel& encoder) {
  return [&encoder](const TextBatch& rows) { return encoder.frozenStates(rows).flatten(0, 1); };
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
  const EncoderModel& encoder = encoderModelOf(model);
  if (!encoder.keepsStates()) return false;
  const std::string name = frozenEncoderHash(model, m_options);
  const auto* beside = dynamic_cast<const EncodedTextObjective*>(request.beside);
  if (beside != nullptr && m_features.takeFrom(beside->m_features, name)) return !encoder.encoderLearns();
  m_features.prepare(task, name, frozenStates(encoder), request, model.parameters().options());
  return m_features.rows() > 0 && !encoder.encoderLearns();
}

// Who looks into an encoder of which a part learns looks into the whole.
static bool looksBelow(const EncoderModel& encoder, const ForwardObserver* observer) {
  if (observer == nullptr) return false;
  return observer->watchesFrozenParts() || (encoder.encoderLearns() && !observer->layerInputsAlone());
}

torch::Tensor EncodedTextObjective::states(const Model& model, const TextBatch& text,
                                           const StepContext& context) const {
  const EncoderModel& encoder = encoderModelOf(model);
  if (!encoder.keepsStates() || looksBelow(encoder, context.observer))
    return encoder.headStates(text, context);
  const torch::Tensor kept = m_features.states(text, frozenStates(encoder), model.parameters().options())
                                 .view({text.tokens.size(0), text.tokens.size(1), -1});
  return encoder.headStatesAbove(kept, text, context);
}

torch::Tensor EncodedTextObjective::logits(const Model& model, const DeviceBatch& batch,
                                           const StepContext& context) const {
  const EncoderModel& encoder = encoderModelOf(model);
  const TextBatch text = pieceRows(batch);
  const std::int64_t rows = text.tokens.size(0);
  if (at::GradMode::is_enabled() || context.observer != nullptr || context.training || rows <= kRowsAtOnce)
    return encoder.taskLogits(states(model, text, context), context);
  std::vector<torch::Tensor> parts;
  for (std::int64_t first = 0; first < rows; first += kRowsAtOnce) {
    const TextBatch some = rowsOf(text, first, std::min(kRowsAtOnce, rows - first));
    parts.push_back(encoder.taskLogits(states(model, some, context), context));
  }
  return at::cat(parts);
}

LossTerms EncodedTextObjective::forward(const Model& model, const DeviceBatch& batch,
                                        const StepContext& context) const {
  const torch::Tensor all = logits(model, batch, context);
  if (brings(batch, encoderModelOf(model)) && hasGold(batch)) return terms(all, batch);
  const double none = 0;  // whoever only looks needs no gold
  return {all.sum() * none, batch.targetUnits, {}};
}

std::optional<PassFacts> EncodedTextObjective::passFacts(const DeviceBatch& batch) const {
  PassFacts facts = paddingFacts(batch);
  const bool gold = hasGold(batch);
  facts.numbers.push_back(gold ? 1 : 0);
  if (gold) facts.uploads = termUploads(batch);
  return facts;
}

TokenMasks EncodedTextObjective::realTokens(const DeviceBatch& batch) const {
  const TextBatch text = pieceRows(batch);
  TokenMasks masks{text.padding.defined() ? text.padding.logical_not() : torch::Tensor(), {}};
  if (const std::int64_t run = globalRun(m_options); run > 0)
    masks.global =
        runsOfTokens(text.padding, text.tokens.size(0), text.tokens.size(1), run).globalContext.gt(0);
  return masks;
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
    if (brings(batch, encoderModelOf(model)) && hasGold(batch)) judged.take(terms(all, batch));
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
  std::vector<OptionRule> rules = {modelForHeads(
      {head}, "texts are read by an encoder: choose BERT, alone or with extra layers, or another one")};
  addRules(rules, headRules({head}, whyHead));
  addRules(rules, readingRules({head}, "segments", OptionClause::Test::AtMost, 1,
                               {{"text.vocabulary.kind", OptionClause::Test::NotIn, {"byte_bpe"}}},
                               "a pair of texts needs two segment kinds"));
  addRules(rules, positionTableRules(lengthKey));
  return rules;
}

Status acceptsEncoder(const Model& model) {
  if (capability<EncoderModel>(model) != nullptr) return {};
  return aboutKey("model", noHeadForTexts(model));
}

void checkPositions(const OptionValues& options, const Task& task, const std::string& lengthKey) {
  const auto sizes = task.sizes();
  const Status fits = checkPositionTable(options, sizes.at("longest"), sizes.at("pad_id"), lengthKey);
  if (!fits.ok()) throw Failure(fits.error());
}

}  // namespace fathom
