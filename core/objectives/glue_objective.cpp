// SPDX-License-Identifier: Apache-2.0
// Sentences and pairs: cross entropy over the classes, or squared error of a number (docs/fine_tuning.md §4).
#include <cmath>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/json/json.h"
#include "core/nn/models/model_choice.h"
#include "core/objectives/answer_losses.h"
#include "core/objectives/encoded_text_objective.h"
#include "core/tasks/glue/glue_scores.h"

namespace fathom {

namespace {

class GlueObjective final : public EncodedTextObjective {
 public:
  GlueObjective(const OptionValues& options, const Task& task)
      : EncodedTextObjective(options),
        m_number(task.sizes().at("number") == 1),
        m_classes(task.sizes().at("classes")) {}

  double ignorantNll() const override { return m_number ? 0 : std::log(static_cast<double>(m_classes)); }

 protected:
  LossTerms terms(const torch::Tensor& logits, const DeviceBatch& batch) const override {
    const auto units = static_cast<double>(batch.targetUnits);
    const torch::Tensor& labels = batch.array("labels");
    if (!m_number) {
      const torch::Tensor nll = summedCrossEntropy(logits, labels);
      return {nll, batch.targetUnits, {{"nll", nll.detach(), units}}};
    }
    const torch::Tensor error = summedSquaredError(logits, labels);
    return {error, batch.targetUnits, {{"mse", error.detach(), units}}};
  }

  std::vector<Prediction> predictions(const torch::Tensor& logits, const DeviceBatch& batch) const override {
    const torch::Tensor shares = logits.softmax(1).contiguous(), values = logits.contiguous();
    const auto classes = static_cast<std::size_t>(logits.size(1));
    std::vector<Prediction> list(batch.examples.size());
    for (std::size_t row = 0; row < list.size(); ++row) {
      Prediction& one = list[row];
      one.example = batch.examples[row];
      const std::span<const double> own(values.const_data_ptr<double>() + row * classes, classes);
      if (m_number) {
        one.score = own[0];
        one.details = {{"value", own[0]}};
        continue;
      }
      const std::int64_t best = bestClass(own);
      const double* share = shares.const_data_ptr<double>() + row * classes;
      one.ids = {best};
      one.score = std::log(share[best]);
      one.details = {{"probabilities", std::vector<double>(share, share + classes)}};
    }
    return list;
  }

 private:
  bool m_number;
  std::int64_t m_classes;
};

std::vector<OptionRule> glueRules() {
  return encoderHeadRules("classification", "sentences are told apart with the head for classes",
                          "glue.max_length");
}

std::unique_ptr<Objective> makeGlue(const OptionValues& options, const Task& task) {
  checkPositions(options, task, "glue.max_length");
  const std::string key = readingKey(options, "classes");
  const std::int64_t outputs = options.integer(key), needed = task.sizes().at("classes");
  if (outputs != 0 && outputs != needed)
    throw Failure(
        aboutKey(key, usageError(Phrase::tr("%1=%2: the head has another size than the labels, which are %3")(
                                     key, outputs, needed),
                                 Phrase::tr("set it to 0: as many as the data have"))));
  return std::make_unique<GlueObjective>(options, task);
}

}  // namespace

ObjectiveEntry glueObjectiveEntry() {
  return {.id = "glue",
          .title = "Classes or a number",
          .reference = "BERT §4.1",
          .task = "glue",
          .rules = glueRules,
          .accepts = acceptsEncoder,
          .make = makeGlue};
}

}  // namespace fathom
