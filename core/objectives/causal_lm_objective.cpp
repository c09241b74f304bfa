// SPDX-License-Identifier: Apache-2.0
// Every token from those before it (docs/causal_language_model.md): cross entropy of the next token; texts
// are written on by drawing one token after the other.
#include <cmath>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/numbers/random_stream.h"
#include "core/base/options/decoding_keys.h"
#include "core/nn/models/causal_model.h"
#include "core/nn/models/model_choice.h"
#include "core/nn/models/word_head.h"
#include "core/objectives/label_smoothed_cross_entropy.h"
#include "core/objectives/part_evaluation.h"
#include "core/objectives/token_sampling.h"

namespace fathom {

namespace {

constexpr std::int64_t kCausalLogitsAtOnce = std::int64_t{1} << 22;  // when accuracies are taken

Error readsBothSides(const Model& model) {
  return usageError(Phrase::tr("model '%1' cannot write a text on")(model.id()),
                    Phrase::tr("choose %1")(whoTakes("next_words")));
}

const CausalModel& causalModel(const Model& model) {
  if (const auto* causal = capability<CausalModel>(model)) return *causal;
  throw Failure(readsBothSides(model));
}

TextBatch causalText(const DeviceBatch& batch) {
  TextBatch text;
  text.tokens = batch.array("tokens");
  const torch::Tensor& lengths = batch.array("lengths");
  const torch::Tensor columns = at::arange(text.tokens.size(1), lengths.options());
  text.padding = columns.unsqueeze(0).ge(lengths.unsqueeze(1));
  return text;
}

class CausalLmObjective final : public Objective {
 public:
  CausalLmObjective(const OptionValues& options, const Task& task)
      : m_vocabulary(task.sizes().at("vocabulary")),
        m_mark(task.sizes().at("eos_id")),
        m_sampling(tokenSampling(options, kPredictDecoding)) {}

  LossTerms forward(const Model& model, const DeviceBatch& batch, const StepContext& context) const override {
    const CausalModel& causal = causalModel(model);
    const torch::Tensor hidden = causal.hidden(causalText(batch), context).flatten(0, 1);
    const double none = 0;  // whoever only looks needs no gold
    if (!brings(batch, causal)) return {hidden.sum() * none, batch.targetUnits, {}};
    const SmoothedLoss loss =
        projectedSmoothedLoss(hidden, causal.head<NextWordHead>().weight(), batch.array("labels").flatten(),
                              keptRows(batch.host("labels"), -1, hidden.device()), {});
    return {loss.lossSum, batch.targetUnits, {{"nll", loss.nllSum, static_cast<double>(batch.targetUnits)}}};
  }

  std::optional<PassFacts> passFacts(const DeviceBatch& batch) const override {
    return PassFacts{{}, {keptRowsOnHost(batch.host("labels"), -1)}};
  }

  TokenMasks realTokens(const DeviceBatch& batch) const override {
    return {{}, causalText(batch).padding.logical_not()};
  }

  double ignorantNll() const override { return std::log(static_cast<double>(m_vocabulary)); }

  Evaluation evaluate(const Model& model, const Task& task, const EvaluationRequest& request) const override {
    const torch::NoGradGuard noGrad;
    const CausalModel& causal = causalModel(model);
    const torch::Device device = model.parameters().options().device();
    Evaluation result = evaluatePart(task, request, device, [&](const DeviceBatch& batch) {
      const torch::Tensor hidden = causal.hidden(causalText(batch), {.seed = request.seed});
      return judged(causal, hidden, batch, request.predictions);
    });
    if (!result.values.empty())
      result.values.insert(result.values.begin() + 2, {"ppl", std::exp(result.nll)});
    return result;
  }

  // Blocks: the likeliest token at every place. Free texts are written on.
  std::vector<Prediction> predict(const Model& model, const DeviceBatch& batch, std::string_view,
                                  const StopToken& stop) const override {
    const torch::NoGradGuard noGrad;
    const CausalModel& causal = causalModel(model);
    if (batch.arrays.contains("labels"))
      return judged(causal, causal.hidden(causalText(batch), {}), batch, true).predictions;
    std::vector<Prediction> predictions;
    for (std::size_t row = 0; row < batch.examples.size(); ++row)
      predictions.push_back(written(causal, batch, row, stop));
    return predictions;
  }

 private:
  torch::Tensor logP(const CausalModel& model, const torch::Tensor& rows) const {
    const torch::Tensor logits = at::linear(rows, model.head<NextWordHead>().weight());
    return logits.to(torch::promoteTypes(logits.scalar_type(), torch::kFloat32)).log_softmax(1);
  }

  JudgedBatch judged(const CausalModel& model, const torch::Tensor& hidden, const DeviceBatch& batch,
                     bool predictions) const {
    const torch::Tensor rows = hidden.flatten(0, 1), labels = batch.array("labels").flatten();
    const std::int64_t chunk =
        std::max<std::int64_t>(kCausalLogitsAtOnce / model.head<NextWordHead>().weight().size(0), 1);
    torch::Tensor nll = at::zeros({}, rows.options().dtype(torch::kFloat64));
    std::vector<torch::Tensor> best, likelihood;
    for (std::int64_t first = 0; first < rows.size(0); first += chunk) {
      const std::int64_t count = std::min(chunk, rows.size(0) - first);
      const torch::Tensor all = logP(model, rows.narrow(0, first, count));
      const torch::Tensor own = labels.narrow(0, first, count), real = own.ge(0);
      const torch::Tensor taken = all.gather(1, own.clamp_min(0).unsqueeze(1)).squeeze(1);
      nll = nll - taken.masked_fill(real.logical_not(), 0.0).sum(torch::kFloat64);
      if (!predictions) continue;
      const auto [top, index] = all.narrow(1, 0, std::min(m_vocabulary, all.size(1))).max(1);
      best.push_back(index.to(torch::kCPU));
      likelihood.push_back(top.to(torch::kCPU, torch::kFloat64));
    }
    const auto units = static_cast<double>(batch.targetUnits);
    JudgedBatch result;
    result.take({nll, batch.targetUnits, {{"nll", nll, units}}});
    if (predictions) result.predictions = likeliest(at::cat(best), at::cat(likelihood), batch);
    return result;
  }

  static std::vector<Prediction> likeliest(const torch::Tensor& best, const torch::Tensor& likelihood,
                                           const DeviceBatch& batch) {
    const torch::Tensor lengths = batch.array("lengths").to(torch::kCPU).contiguous();
    const std::int64_t width = batch.array("tokens").size(1);
    std::vector<Prediction> list(batch.examples.size());
    for (std::size_t row = 0; row < list.size(); ++row) {
      const std::int64_t first = static_cast<std::int64_t>(row) * width;
      const std::int64_t length = lengths.const_data_ptr<std::int64_t>()[row];
      const auto* ids = best.const_data_ptr<std::int64_t>() + first;
      list[row].example = batch.examples[row];
      list[row].ids.assign(ids, ids + length);
      list[row].score = likelihood.narrow(0, first, length).sum().item<double>();
    }
    return list;
  }

  // Token by token until the mark is drawn, the table of positions ends or there are enough.
  Prediction written(const CausalModel& model, const DeviceBatch& batch, std::size_t row,
                     const StopToken& stop) const {
    const auto at = static_cast<std::int64_t>(row);
    const torch::Tensor lengths = batch.array("lengths").to(torch::kCPU);
    const std::int64_t length = lengths[at].item<std::int64_t>();
    const torch::Tensor given = batch.array("tokens")[at];
    RandomStream draws(
        streamSeed(static_cast<std::uint64_t>(m_sampling.seed), "sampling", {batch.examples[row].value}));
    DecodeState state = model.beginText(1);
    torch::Tensor hidden;
    for (std::int64_t t = 0; t < length; ++t) hidden = model.readToken(state, given.narrow(0, t, 1));
    Prediction one;
    one.example = batch.examples[row];
    while (static_cast<std::int64_t>(one.ids.size()) < m_sampling.most) {
      if (stop.stopRequested()) throw Failure(interruptedError());
      const DrawnToken drawn = drawNext(model, hidden, draws.uniform());
      one.score += drawn.logP;
      if (drawn.token == m_mark) break;
      one.ids.push_back(drawn.token);
      if (state.step >= model.maxPositions()) break;
      hidden = model.readToken(state, at::full({1}, drawn.token, given.options()));
    }
    return one;
  }

  DrawnToken drawNext(const CausalModel& model, const torch::Tensor& hidden, double uniform) const {
    const torch::Tensor logits = at::linear(hidden, model.head<NextWordHead>().weight());
    const torch::Tensor exact = logits[0].to(torch::kCPU, torch::kFloat64).contiguous();
    const auto pieces = static_cast<std::size_t>(std::min(m_vocabulary, exact.size(0)));
    return drawToken({exact.const_data_ptr<double>(), pieces}, m_sampling, uniform);
  }

  std::int64_t m_vocabulary, m_mark;
  TokenSampling m_sampling;
};

std::vector<OptionRule> causalLmRules() {
  std::vector<OptionRule> rules = {
      modelForHeads({"next_words"},
                    "a text is written on by a model that sees no later token: choose the "
                    "decoder alone")};
  addRules(rules, headRules({"next_words"}, "the next token is predicted with its own head"));
  addRules(rules, positionTableRules("causal_lm.max_length"));
  return rules;
}

}  // namespace

ObjectiveEntry causalLmObjectiveEntry() {
  return {.id = "causal_lm",
          .title = "The next token",
          .reference = "Radford et al. 2019",
          .task = "causal_lm",
          .fields = [] { return tokenSamplingFields(kPredictDecoding); },
          .rules = causalLmRules,
          .accepts = [](const Model& model) -> Status {
            const auto* causal = capability<CausalModel>(model);
            if (causal != nullptr && causal->headAs<NextWordHead>() != nullptr) return {};
            return aboutKey("model", readsBothSides(model));
          },
          .make = [](const OptionValues& options, const Task& task) -> std::unique_ptr<Objective> {
            const auto sizes = task.sizes();
            const Status fits =
                checkPositionTable(options, sizes.at("longest"), sizes.at("pad_id"), "causal_lm.max_length");
            if (!fits.ok()) throw Failure(fits.error());
            return std::make_unique<CausalLmObjective>(options, task);
          }};
}

}  // namespace fathom
