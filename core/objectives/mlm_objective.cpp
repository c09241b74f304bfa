// SPDX-License-Identifier: Apache-2.0
// Masked language model with next-sentence prediction (docs/masked_language_model.md §4): cross entropy of
// the masked rows only, plus that of the pair; accuracies on a part kept apart.
#include <cmath>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/nn/models/long_model.h"
#include "core/nn/models/model_choice.h"
#include "core/nn/models/word_head.h"
#include "core/objectives/encoder_features.h"
#include "core/objectives/judged_batches.h"
#include "core/objectives/label_smoothed_cross_entropy.h"

namespace fathom {

namespace {

constexpr double kWeightEps = 1e-5;                            // of the released loss: sum / (weights + 1e-5)
constexpr std::int64_t kLogitsAtOnce = std::int64_t{1} << 22;  // when accuracies are taken

const std::vector<std::string> kWordHeads = {"pretraining", "masked_words"};

Error noWordHead(const Model& model) {
  return usageError(Phrase::tr("model '%1' has no head for masked words")(model.id()),
                    Phrase::tr("choose %1")(whoTakes("masked_words")));
}

const EncoderModel& encoderModel(const Model& model) {
  if (const auto* encoder = capability<EncoderModel>(model)) return *encoder;
  throw Failure(noWordHead(model));
}

// Best token of every masked row, of the vocabulary's pieces, and the sum of the labels' -log p, a few rows
// at a time.
struct MaskedJudgement {
  torch::Tensor best;         // [M] int64, CPU
  torch::Tensor probability;  // [M] log p of the best, CPU float64
  double nll = 0;
};

MaskedJudgement judgeMasked(const EncoderModel& model, const torch::Tensor& hidden,
                            const torch::Tensor& positions, std::int64_t vocabulary,
                            const torch::Tensor* labels) {
  MaskedJudgement judged;
  const torch::Tensor rows = model.maskedHidden(hidden, positions);
  const torch::Tensor weight = model.maskedWeight();
  const std::int64_t chunk = std::max<std::int64_t>(kLogitsAtOnce / weight.size(0), 1);
  std::vector<torch::Tensor> best, probability;
  for (std::int64_t first = 0; first < rows.size(0); first += chunk) {
    const std::int64_t count = std::min(chunk, rows.size(0) - first);
    const torch::Tensor logits = at::linear(rows.narrow(0, first, count), weight, model.maskedBias());
    const torch::Tensor logP =
        logits.to(torch::promoteTypes(logits.scalar_type(), torch::kFloat32)).log_softmax(1);
    // Rows behind the pieces are spare.
    const auto [top, index] = logP.narrow(1, 0, std::min(vocabulary, logP.size(1))).max(1);
    best.push_back(index.to(torch::kCPU));
    probability.push_back(top.to(torch::kCPU, torch::kFloat64));
    if (labels == nullptr) continue;
    const torch::Tensor own = logP.gather(1, labels->narrow(0, first, count).unsqueeze(1));
    judged.nll -= own.sum(torch::kFloat64).item<double>();
  }
  judged.best = best.empty() ? at::empty({0}, torch::kInt64) : at::cat(best);
  judged.probability = best.empty() ? at::empty({0}, torch::kFloat64) : at::cat(probability);
  return judged;
}

// Masked tokens of each row in order, then 0 or 1 for the pair.
std::vector<Prediction> predictionsOf(const DeviceBatch& batch, const MaskedJudgement& judged,
                                      const torch::Tensor& nextLogits) {
  const std::int64_t width = batch.array("tokens").size(1);
  const torch::Tensor positions = batch.host("masked_positions");
  const torch::Tensor next =
      nextLogits.defined() ? nextLogits.argmax(1).to(torch::kCPU) : at::zeros({batch.rows()}, torch::kInt64);
  std::vector<Prediction> predictions(batch.examples.size());
  for (std::size_t row = 0; row < predictions.size(); ++row) predictions[row].example = batch.examples[row];
  for (std::int64_t m = 0; m < positions.size(0); ++m) {
    Prediction& owner = predictions[static_cast<std::size_t>(positions[m].item<std::int64_t>() / width)];
    owner.ids.push_back(judged.best[m].item<std::int64_t>());
    owner.score += judged.probability[m].item<double>();
  }
  for (std::size_t row = 0; row < predictions.size(); ++row)
    predictions[row].ids.push_back(next[static_cast<std::int64_t>(row)].item<std::int64_t>());
  return predictions;
}

class MlmObjective final : public Objective {
 public:
  MlmObjective(const Task& task, std::int64_t globalRun)
      : m_vocabulary(task.sizes().at("vocabulary")), m_globalRun(globalRun) {}

  // Over units = M masked rows: M (nll sum / (M + 1e-5) + mean next-sentence loss), so that one batch gives
  // the released loss.
  LossTerms forward(const Model& model, const DeviceBatch& batch, const StepContext& context) const override {
    const EncoderModel& encoder = encoderModel(model);
    const torch::Tensor hidden = encoder.hidden(pieceRows(batch), context);
    const torch::Tensor rows = encoder.maskedHidden(hidden, batch.array("masked_positions"));
    const SmoothedLoss masked = projectedSmoothedLoss(
        rows, encoder.maskedWeight(), batch.array("masked_labels"),
        keptRows(batch.host("masked_labels"), -1, rows.device()), {}, 0, encoder.maskedBias());
    const auto units = static_cast<double>(batch.targetUnits), pairs = static_cast<double>(batch.rows());
    LossTerms terms{masked.lossSum * (units / (units + kWeightEps)), batch.targetUnits, {}};
    terms.sums.push_back({"nll", masked.nllSum, units});
    if (!encoder.hasNextSentence()) return terms;
    const torch::Tensor next = nextLoss(nextLogits(encoder, hidden), batch);
    terms.loss = terms.loss + next * (units / pairs);
    terms.sums.push_back({"next_nll", next.detach(), pairs});
    return terms;
  }

  std::optional<PassFacts> passFacts(const DeviceBatch& batch) const override {
    PassFacts facts = paddingFacts(batch);
    facts.uploads = {keptRowsOnHost(batch.host("masked_labels"), -1)};
    return facts;
  }

  TokenMasks realTokens(const DeviceBatch& batch) const override {
    const torch::Tensor padding = pieceRows(batch).padding;
    TokenMasks masks{padding.defined() ? padding.logical_not() : torch::Tensor(), {}};
    if (m_globalRun > 0) {
      const torch::Tensor& tokens = batch.array("tokens");
      masks.global = runsOfTokens(padding, tokens.size(0), tokens.size(1), m_globalRun).globalContext.gt(0);
    }
    return masks;
  }

  double ignorantNll() const override { return std::log(static_cast<double>(m_vocabulary)); }

  Evaluation evaluate(const Model& model, const Task& task, const EvaluationRequest& request) const override {
    const torch::NoGradGuard noGrad;
    const EncoderModel& encoder = encoderModel(model);
    const torch::Device device = encoder.maskedWeight().device();
    auto batches = judgePart(task, request, device,
                             [&](const DeviceBatch& batch) { return judgedBatch(encoder, batch, request); });
    Evaluation result;
    if (!batches) return result;
    const PartSums all = sumsOf(*batches);
    const double nll = all.sums[0].sum, masked = all.sums[0].count,
                 nextNll = all.sums[1].sum / all.sums[1].count;
    result.nll = nll / masked;
    result.values = {
        {"loss", nll / (masked + kWeightEps) + nextNll}, {"nll", result.nll}, {"ppl", std::exp(result.nll)}};
    if (encoder.hasNextSentence()) result.values.emplace_back("next_nll", nextNll);
    if (!request.predictions) return result;
    result.predictions = takePredictions(*batches);
    score(encoder, task, request.split, result);
    return result;
  }

  std::vector<Prediction> predict(const Model& model, const DeviceBatch& batch, std::string_view,
                                  const StopToken& stop) const override {
    if (stop.stopRequested()) throw Failure(interruptedError());
    const EncoderModel& encoder = encoderModel(model);
    const torch::Tensor hidden = encoder.hidden(pieceRows(batch), {});
    return predictionsOf(batch,
                         judgeMasked(encoder, hidden, batch.array("masked_positions"), m_vocabulary, nullptr),
                         nextLogits(encoder, hidden));
  }

 private:
  // Undefined for a model without that head.
  static torch::Tensor nextLogits(const EncoderModel& encoder, const torch::Tensor& hidden) {
    return encoder.hasNextSentence() ? encoder.nextSentenceLogits(encoder.pooled(hidden)) : torch::Tensor();
  }

  JudgedBatch judgedBatch(const EncoderModel& encoder, const DeviceBatch& batch,
                          const EvaluationRequest& request) const {
    const torch::Tensor hidden = encoder.hidden(pieceRows(batch), {.seed = request.seed});
    const torch::Tensor next = nextLogits(encoder, hidden);
    const MaskedJudgement masked = judgeMasked(encoder, hidden, batch.array("masked_positions"), m_vocabulary,
                                               &batch.array("masked_labels"));
    JudgedBatch judged;
    judged.gold = true;
    judged.sums = {{"nll", masked.nll, static_cast<double>(batch.targetUnits)},
                   {"next_nll", next.defined() ? nextLoss(next, batch).item<double>() : 0.0,
                    static_cast<double>(batch.rows())}};
    if (request.predictions) judged.predictions = predictionsOf(batch, masked, next);
    return judged;
  }

  // Sum over the rows, float64 like the masked sum.
  static torch::Tensor nextLoss(const torch::Tensor& logits, const DeviceBatch& batch) {
    const torch::Tensor logP =
        logits.to(torch::promoteTypes(logits.scalar_type(), torch::kFloat32)).log_softmax(1);
    return -logP.gather(1, batch.array("next_labels").unsqueeze(1)).sum(torch::kFloat64);
  }

  // A model without the next-sentence head has no such accuracy.
  static void score(const EncoderModel& encoder, const Task& task, DataSplit split, Evaluation& result) {
    task.complete(result.predictions);
    result.scores = task.score(split, result.predictions).value();
    if (!encoder.hasNextSentence())
      std::erase_if(result.scores, [](const TaskScore& score) { return score.id == "next_accuracy"; });
    for (const TaskScore& score : result.scores) result.values.emplace_back(score.id, score.value);
  }

  std::int64_t m_vocabulary, m_globalRun;  // the latter 0: one stream
};

std::vector<OptionRule> mlmRules() {
  std::vector<OptionRule> rules = {
      modelForHeads(kWordHeads, "masked words need a model with a head for them: choose BERT or ETC")};
  addRules(rules, headRules(kWordHeads, "masked words are trained with their own head"));
  addRules(rules, readingRulesUnder({"pretraining"}, "segments", OptionClause::Test::AtMost, 1,
                                    "a pair of sentences needs two segment kinds"));
  for (const OptionClause& paired : headClauses({"pretraining"}))
    rules.push_back({.when = {{"mlm.random_next", OptionClause::Test::AtMost, {0}}, paired},
                     .reason = "without random next sentences there is nothing to tell: choose the head for "
                               "masked words",
                     .keys = {"mlm.random_next", paired.key}});
  // Rules for what makeMlm() asks of the data, where the options alone tell.
  addRules(rules, positionTableRules("mlm.max_length"));
  return rules;
}

// A model of two streams has no table of positions; its global tokens stand for runs of the text.
std::unique_ptr<Objective> makeMlm(const OptionValues& options, const Task& task) {
  const auto sizes = task.sizes();
  const Status fits = checkPositionTable(options, sizes.at("longest"), sizes.at("pad_id"), "mlm.max_length");
  if (!fits.ok()) throw Failure(fits.error());
  return std::make_unique<MlmObjective>(task, globalRun(options));
}

}  // namespace

ObjectiveEntry mlmObjectiveEntry() {
  return {.id = "mlm",
          .title = "Masked words and next sentence",
          .reference = "BERT §3.1",
          .task = "mlm",
          .rules = mlmRules,
          .accepts = [](const Model& model) -> Status {
            const auto* encoder = capability<EncoderModel>(model);
            if (encoder != nullptr && encoder->headAs<WordHead>() != nullptr) return {};
            return aboutKey("model", noWordHead(model));
          },
          .make = makeMlm};
}

}  // namespace fathom
