// SPDX-License-Identifier: Apache-2.0
// One of several candidates: a number for each candidate's global token, softmax over the candidates
// (docs/long_inputs.md §4).
#include <algorithm>
#include <cmath>

#include "core/objectives/answer_losses.h"
#include "core/objectives/choice_prediction.h"
#include "core/objectives/long_text_objective.h"

namespace fathom {

namespace {

class WikiHopObjective final : public LongTextObjective {
 public:
  explicit WikiHopObjective(const Task& task) {
    if (task.batchCount(DataSplit::Train) == 0) return;
    const HostBatch first = task.makeBatch(DataSplit::Train, 0);
    const auto marks = first.array("candidates").values<std::uint8_t>();
    m_candidates =
        static_cast<double>(std::count(marks.begin(), marks.end(), 1)) / static_cast<double>(first.rows());
  }

  double ignorantNll() const override { return std::log(std::max(m_candidates, 1.0)); }

 protected:
  HeadOutputs outputs(const LongModel& model, const GlobalLocal::Streams& states,
                      const DeviceBatch& batch) const override {
    return {model.head<CandidateHead>().logits(states.globals, batch.array("candidates").gt(0))};
  }

  LossTerms terms(const HeadOutputs& outputs, const DeviceBatch& batch) const override {
    const torch::Tensor nll = summedCrossEntropy(outputs[0], batch.array("labels"));
    return {nll, batch.targetUnits, {{"nll", nll.detach(), static_cast<double>(batch.targetUnits)}}};
  }

  std::vector<Prediction> predictions(const HeadOutputs& outputs, const DeviceBatch& batch) const override {
    const torch::Tensor marks = batch.host("candidates").to(torch::kInt64);
    const torch::Tensor counts = marks.sum(1).contiguous();
    const torch::Tensor parts = batch.host("part").contiguous();
    const std::int64_t width = outputs[0].size(1);
    std::vector<Prediction> list;
    for (std::size_t i = 0; i < batch.examples.size(); ++i) {
      const auto* score = outputs[0].const_data_ptr<double>() + static_cast<std::int64_t>(i) * width;
      const auto count = static_cast<std::size_t>(counts.const_data_ptr<std::int64_t>()[i]);
      list.push_back(choicePrediction(batch.examples[i], {score, count},
                                      {{"part", parts.const_data_ptr<std::int64_t>()[i]}}));
      if (batch.raggeds.contains("asked")) list[i].details["asked"] = batch.text("asked", i);
    }
    return list;
  }

 private:
  double m_candidates = 2;
};

std::vector<OptionRule> wikiHopRules() {
  return longHeadRules("candidates", "candidates are chosen with the head for candidates");
}

}  // namespace

ObjectiveEntry wikihopObjectiveEntry() {
  return {.id = "wikihop",
          .title = "One of several candidates",
          .reference = "ETC §4.3; RealFormer §4.3",
          .task = "wikihop",
          .rules = wikiHopRules,
          .accepts = acceptsLong,
          .make = [](const OptionValues&, const Task& task) -> std::unique_ptr<Objective> {
            return std::make_unique<WikiHopObjective>(task);
          }};
}

}  // namespace fathom
