// SPDX-License-Identifier: Apache-2.0
// Translation: label-smoothed cross entropy over target pieces, perplexity, BLEU of greedy or beam output.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/decoding_keys.h"
#include "core/base/options/field_builder.h"
#include "core/decode/beam_search.h"
#include "core/nn/models/model_choice.h"
#include "core/objectives/judged_batches.h"
#include "core/objectives/label_smoothed_cross_entropy.h"

namespace fathom {

namespace {

Error cannotTranslate(const Model& model) {
  return usageError(Phrase::tr("model '%1' cannot translate")(model.id()),
                    Phrase::tr("choose %1")(whoGives(Representation::Targets)));
}

const SequenceModel& sequenceModel(const Model& model) {
  if (const auto* sequence = capability<SequenceModel>(model)) return *sequence;
  throw Failure(cannotTranslate(model));
}

// Real tokens of the array `name` by its lengths: the last ones where it is padded on the left.
torch::Tensor upTo(const DeviceBatch& batch, const std::string& name, bool leftPadded) {
  const torch::Tensor& lengths = batch.array(name + "_lengths");
  const std::int64_t width = batch.array(name).size(1);
  const torch::Tensor columns = at::arange(width, lengths.options()).unsqueeze(0);
  const torch::Tensor counts = lengths.unsqueeze(1);
  return leftPadded ? columns.ge(width - counts) : columns.lt(counts);
}

class NmtObjective final : public Objective {
 public:
  NmtObjective(const OptionValues& options, const Task& task)
      : m_smoothing(labelSmoothing(options)),
        m_vocabulary(task.sizes().at("target_vocabulary")),
        m_padId(task.sizes().at("pad_id")) {
    for (const char* prefix : kDecodings) m_beams.emplace(prefix, beamOptions(options, prefix));
  }

  LossTerms forward(const Model& model, const DeviceBatch& batch, const StepContext& context) const override {
    const SmoothedLoss loss = batchLoss(sequenceModel(model), batch, context, m_smoothing);
    return {loss.lossSum, batch.targetUnits, {{"nll", loss.nllSum, static_cast<double>(batch.targetUnits)}}};
  }

  std::optional<PassFacts> passFacts(const DeviceBatch& batch) const override {
    return PassFacts{{}, {keptRowsOnHost(batch.host("target"), m_padId)}};
  }

  TokenMasks realTokens(const DeviceBatch& batch) const override {
    return {upTo(batch, "source", true), upTo(batch, "target", false)};
  }

  double ignorantNll() const override { return std::log(static_cast<double>(m_vocabulary)); }

  Evaluation evaluate(const Model& model, const Task& task, const EvaluationRequest& request) const override {
    const torch::NoGradGuard noGrad;
    const SequenceModel& sequence = sequenceModel(model);
    const torch::Device device = sequence.outputWeight().device();
    auto batches = judgePart(task, request, device, [&](const DeviceBatch& batch) {
      JudgedBatch judged;
      const torch::Tensor nll = batchLoss(sequence, batch, {.seed = request.seed}, {}).nllSum;
      judged.take({nll, batch.targetUnits, {}});
      if (request.predictions) judged.predictions = predict(model, batch, request.decoding, request.stop);
      return judged;
    });
    Evaluation result;
    if (!batches) return result;
    const PartSums sums = sumsOf(*batches);
    result.nll = sums.loss / sums.units;
    const double bits = result.nll / std::numbers::ln2;
    result.values = {
        {"nll", result.nll}, {"nll2", bits}, {"ppl", std::exp(result.nll)}, {"ppl2", std::exp2(bits)}};
    if (!request.predictions) return result;
    result.predictions = takePredictions(*batches);
    score(task, request.split, result);
    return result;
  }

  std::vector<Prediction> predict(const Model& model, const DeviceBatch& batch, std::string_view decoding,
                                  const StopToken& stop) const override {
    const auto beam = m_beams.find(decoding);
    if (beam == m_beams.end())
      throw Failure(internalError("no decoding options under '" + std::string(decoding) + "'"));
    const SequenceModel& sequence = sequenceModel(model);
    const std::vector<BeamResult> results = translate(sequence, batch.array("source"), beam->second, stop);
    std::vector<Prediction> predictions;
    for (std::size_t row = 0; row < results.size(); ++row) {
      Prediction prediction;
      prediction.example = batch.examples.at(row);
      if (!results[row].empty()) {
        const Hypothesis& best = results[row].front();
        prediction.ids = best.tokens;
        if (!prediction.ids.empty() && prediction.ids.back() == sequence.eosId()) prediction.ids.pop_back();
        prediction.score = best.score;
      }
      predictions.push_back(std::move(prediction));
    }
    return predictions;
  }

 private:
  static SmoothedLoss batchLoss(const SequenceModel& model, const DeviceBatch& batch,
                                const StepContext& context, const LabelSmoothing& smoothing) {
    const EncoderMemory memory = model.encode(batch.array("source"), context);
    const torch::Tensor hidden = model.decoderHidden(memory, batch.array("prev_target"), context);
    return projectedSmoothedLoss(hidden.flatten(0, 1), model.outputWeight(), batch.array("target").flatten(),
                                 keptRows(batch.host("target"), model.padId(), hidden.device()), smoothing);
  }

  static void score(const Task& task, DataSplit split, Evaluation& result) {
    task.complete(result.predictions);
    Result<std::vector<TaskScore>> scores = task.score(split, result.predictions);
    result.scores = std::move(scores).value();
    for (const TaskScore& score : result.scores) result.values.emplace_back(score.id, score.value);
  }

  LabelSmoothing m_smoothing;
  std::int64_t m_vocabulary, m_padId;
  std::map<std::string, BeamOptions, std::less<>> m_beams;
};

std::vector<OptionField> nmtFields() {
  std::vector<OptionField> fields = labelSmoothingOptionFields();
  BeamOptions greedy;
  greedy.beam = 1;
  for (const char* prefix : kDecodings) {
    const bool validation = std::string_view(prefix) == kValidationDecoding;
    addFields(fields, beamOptionFields(prefix, validation ? greedy : BeamOptions{}));
  }
  return fields;
}

}  // namespace

ObjectiveEntry nmtObjectiveEntry() {
  return {.id = "nmt",
          .title = "Translation",
          .reference = "Transformer §5.4",
          .task = "nmt",
          .fields = nmtFields,
          .rules =
              [] {
                const OptionRule other{
                    .when = {modelNotGiving(Representation::Targets)},
                    .reason = "translation needs an encoder and a decoder: choose the encoder-decoder model",
                    .keys = {"model"}};
                const OptionRule positions{
                    .when = {{"model.encoder_decoder.max_positions",
                              OptionClause::Test::AtMost,
                              {Json{{"key", "data.max_length"}, {"plus", -1}}}}},
                    .reason = "the model must have a position for every token of the longest sentence",
                    .keys = {"model.encoder_decoder.max_positions", "data.max_length"}};
                return std::vector<OptionRule>{other, positions};
              },
          .accepts = [](const Model& model) -> Status {
            if (capability<SequenceModel>(model) != nullptr) return {};
            return aboutKey("model", cannotTranslate(model));
          },
          .make = [](const OptionValues& options, const Task& task) -> std::unique_ptr<Objective> {
            return std::make_unique<NmtObjective>(options, task);
          }};
}

}  // namespace fathom
