// SPDX-License-Identifier: Apache-2.0
// One of several answers: a score for every row, softmax over the answers of a question (docs/fine_tuning.md
// §6).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/objectives/answer_losses.h"
#include "core/objectives/choice_prediction.h"
#include "core/objectives/encoded_text_objective.h"

namespace fathom {

namespace {

class ReclorObjective final : public EncodedTextObjective {
 public:
  ReclorObjective(const OptionValues& options, const Task& task) : EncodedTextObjective(options) {
    if (task.batchCount(DataSplit::Train) == 0) return;
    const HostBatch first = task.makeBatch(DataSplit::Train, 0);
    const auto counts = first.array("choices").values<std::int64_t>();
    m_choices = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})) /
                static_cast<double>(counts.size());
  }

  double ignorantNll() const override { return std::log(m_choices); }

 protected:
  LossTerms terms(const torch::Tensor& logits, const DeviceBatch& batch) const override {
    const torch::Tensor nll =
        summedCrossEntropy(scoresByQuestion(logits.squeeze(1), batch.host("choices")), batch.array("labels"));
    return {nll, batch.targetUnits, {{"nll", nll.detach(), static_cast<double>(batch.targetUnits)}}};
  }

  std::vector<torch::Tensor> termUploads(const DeviceBatch& batch) const override {
    return {placesByQuestion(batch.host("choices"))};
  }

  std::vector<Prediction> predictions(const torch::Tensor& logits, const DeviceBatch& batch) const override {
    const torch::Tensor scores = logits.squeeze(1).contiguous();
    const torch::Tensor counts = batch.host("choices").contiguous();
    const auto* score = scores.const_data_ptr<double>();
    std::vector<Prediction> list;
    for (std::size_t q = 0; q < batch.examples.size(); ++q) {
      const auto count = static_cast<std::size_t>(counts.const_data_ptr<std::int64_t>()[q]);
      list.push_back(choicePrediction(batch.examples[q], {score, count}));
      score += count;
    }
    return list;
  }

 private:
  double m_choices = 4;
};

std::vector<OptionRule> reclorRules() {
  return encoderHeadRules("multiple_choice", "answers are chosen with the head for multiple choice",
                          "reclor.max_length");
}

}  // namespace

ObjectiveEntry reclorObjectiveEntry() {
  return {.id = "reclor",
          .title = "One of several answers",
          .reference = "ReClor; DT-Fixup App. D",
          .task = "reclor",
          .rules = reclorRules,
          .accepts = acceptsEncoder,
          .make = [](const OptionValues& options, const Task& task) -> std::unique_ptr<Objective> {
            checkPositions(options, task, "reclor.max_length");
            return std::make_unique<ReclorObjective>(options, task);
          }};
}

}  // namespace fathom
