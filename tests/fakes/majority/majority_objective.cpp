// SPDX-License-Identifier: Apache-2.0
// The torch half of the tests' task: cross entropy of the letters on the pooled vector of an encoder.
#include <cmath>

#include "core/objectives/part_evaluation.h"

namespace fathom {

namespace {

const EncoderModel* encoderOf(const Model& model) {
  return dynamic_cast<const EncoderModel*>(&model);
}

TextBatch textOf(const DeviceBatch& batch) {
  TextBatch text;
  text.tokens = batch.array("tokens");
  const torch::Tensor& lengths = batch.array("lengths");
  const torch::Tensor columns = at::arange(text.tokens.size(1), lengths.options());
  text.padding = columns.unsqueeze(0).ge(lengths.unsqueeze(1));
  return text;
}

torch::Tensor logP(const Model& model, const DeviceBatch& batch, const StepContext& context) {
  const EncoderModel& encoder = *encoderOf(model);
  return encoder.taskLogits(encoder.hidden(textOf(batch), context), context).log_softmax(1);
}

class MajorityObjective final : public Objective {
 public:
  explicit MajorityObjective(const Task& task) : m_labels(task.sizes().at("labels")) {}

  LossTerms forward(const Model& model, const DeviceBatch& batch, const StepContext& context) const override {
    const torch::Tensor own = logP(model, batch, context).gather(1, batch.array("labels").unsqueeze(1));
    const torch::Tensor nll = -own.sum();
    return {nll, batch.targetUnits, {{"nll", nll.detach(), static_cast<double>(batch.targetUnits)}}};
  }

  TokenMasks realTokens(const DeviceBatch& batch) const override {
    return {textOf(batch).padding.logical_not(), {}};
  }

  NamedValues trainingValues(double lossSum, double units, const NamedValues&) const override {
    return {{"loss", lossSum / units}, {"nll", lossSum / units}};
  }

  double ignorantNll() const override { return std::log(static_cast<double>(m_labels)); }

  Evaluation evaluate(const Model& model, const Task& task, const EvaluationRequest& request) const override {
    const torch::NoGradGuard noGrad;
    const torch::Device device = model.parameters().options().device();
    return evaluatePart(task, request, device, [&](const DeviceBatch& batch) {
      JudgedBatch judged;
      judged.take(forward(model, batch, {.seed = request.seed}));
      if (request.predictions) judged.predictions = predict(model, batch, request.decoding, request.stop);
      return judged;
    });
  }

  std::vector<Prediction> predict(const Model& model, const DeviceBatch& batch, std::string_view,
                                  const StopToken&) const override {
    const auto [values, order] =
        logP(model, batch, {}).narrow(1, 0, m_labels).to(torch::kCPU, torch::kFloat64).sort(1, true);
    std::vector<Prediction> predictions;
    for (std::int64_t row = 0; row < batch.rows(); ++row) {
      Prediction one;
      one.example = batch.examples[static_cast<std::size_t>(row)];
      for (std::int64_t i = 0; i < m_labels; ++i) one.ids.push_back(order[row][i].item<std::int64_t>());
      one.score = values[row][0].item<double>();
      predictions.push_back(std::move(one));
    }
    return predictions;
  }

 private:
  std::int64_t m_labels;
};

std::vector<OptionRule> majorityRules() {
  OptionRule model, head, classes;
  model.when = {{"model", OptionClause::Test::NotIn, {"bert"}}};
  model.reason = "letters are told by an encoder";
  model.keys = {"model"};
  head.when = {{"model.bert.head", OptionClause::Test::NotIn, {"classification"}}};
  head.reason = "letters need the head for classes";
  head.keys = {"model.bert.head"};
  classes.when = {
      {"model.bert.classes", OptionClause::Test::AtMost, {Json{{"key", "majority.letters"}, {"plus", -1}}}}};
  classes.reason = "there must be a class for every letter";
  classes.keys = {"model.bert.classes", "majority.letters"};
  return {model, head, classes};
}

}  // namespace

ObjectiveEntry majorityObjectiveEntry() {
  return {"majority",
          "Most frequent letter",
          "made for tests",
          "majority",
          [] { return std::vector<OptionField>{}; },
          majorityRules,
          [](const Model& model) -> Status {
            if (encoderOf(model) != nullptr) return {};
            return usageError("model '" + model.id() + "' is no encoder");
          },
          [](const OptionValues&, const Task& task) -> std::unique_ptr<Objective> {
            return std::make_unique<MajorityObjective>(task);
          }};
}

}  // namespace fathom
