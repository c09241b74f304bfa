// SPDX-License-Identifier: Apache-2.0
// Ends of short and long answers and the kind of answer, a softmax each over the places of a window
// (docs/long_inputs.md §4).
#include <cmath>
#include <span>

#include "core/objectives/answer_losses.h"
#include "core/objectives/long_text_objective.h"
#include "core/tasks/natural_questions/nq_decoding.h"

namespace fathom {

namespace {

constexpr std::int64_t kPlaceHeads = 4, kAnswerKinds = 5;
constexpr double kNqLosses = 5, kNqNoPlace = -10000;

class NaturalQuestionsObjective final : public LongTextObjective {
 public:
  explicit NaturalQuestionsObjective(const Task& task)
      : m_realOnly(task.sizes().at("real_positions") == 1),
        m_longest(static_cast<double>(std::max<std::int64_t>(task.sizes().at("longest"), 1))) {
    m_how.top = task.sizes().at("top");
    m_how.maxShort = task.sizes().at("max_short");
  }

  double ignorantNll() const override {
    return (kPlaceHeads * std::log(m_longest) + std::log(static_cast<double>(kAnswerKinds))) / kNqLosses;
  }

 protected:
  HeadOutputs outputs(const LongModel& model, const GlobalLocal::Streams& states,
                      const DeviceBatch&) const override {
    const NqHeadLogits logits = model.head<NqHead>().logits(states.longs);
    return {logits.positions, logits.type};
  }

  // A fifth of the five sums.
  LossTerms terms(const HeadOutputs& outputs, const DeviceBatch& batch) const override {
    const torch::Tensor& targets = batch.array("targets");
    torch::Tensor positions = outputs[0];
    if (m_realOnly) positions = positions.masked_fill(longPadding(batch).unsqueeze(2), kNqNoPlace);
    torch::Tensor sum = summedCrossEntropy(outputs[1], targets.select(1, kPlaceHeads));
    for (std::int64_t head = 0; head < kPlaceHeads; ++head)
      sum = sum + summedCrossEntropy(positions.select(2, head), targets.select(1, head));
    const torch::Tensor loss = sum / kNqLosses;
    const std::int64_t units = targets.size(0);
    return {loss, units, {{"nll", loss.detach(), static_cast<double>(units)}}};
  }

  std::vector<Prediction> predictions(const HeadOutputs& outputs, const DeviceBatch& batch) const override {
    const torch::Tensor counts = batch.host("windows").contiguous();
    const torch::Tensor parts = batch.host("part").contiguous();
    const torch::Tensor words = batch.host("words").contiguous();
    const auto width = static_cast<std::size_t>(words.size(1));
    std::vector<Prediction> list(batch.examples.size());
    std::size_t row = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i].example = batch.examples[i];
      std::vector<NqWindowScores> windows;
      for (std::int64_t w = 0; w < counts.const_data_ptr<std::int64_t>()[i]; ++w, ++row)
        windows.push_back(nqWindowScores(
            {outputs[0].const_data_ptr<double>() + row * width * kPlaceHeads, width * kPlaceHeads},
            {words.const_data_ptr<std::int64_t>() + row * width, width},
            {outputs[1].const_data_ptr<double>() + row * kAnswerKinds, kAnswerKinds}, m_how.top));
      list[i].details = {{"part", parts.const_data_ptr<std::int64_t>()[i]},
                         {"spans", nqPageSpansJson(nqPageSpans(windows, m_how))}};
      if (batch.raggeds.contains("asked")) list[i].details["asked"] = batch.text("asked", i);
    }
    return list;
  }

 private:
  NqDecoding m_how;
  bool m_realOnly;
  double m_longest;
};

}  // namespace

ObjectiveEntry naturalQuestionsObjectiveEntry() {
  return {
      .id = "natural_questions",
      .title = "Short and long answers on a page",
      .reference = "ETC §4.2",
      .task = "natural_questions",
      .rules =
          [] { return longHeadRules("page_answers", "pages are read with the head for answers on them"); },
      .accepts = acceptsLong,
      .make = [](const OptionValues&, const Task& task) -> std::unique_ptr<Objective> {
        return std::make_unique<NaturalQuestionsObjective>(task);
      }};
}

}  // namespace fathom
