// SPDX-License-Identifier: Apache-2.0
// Start and end of an answer: two softmaxes over the places of a row (docs/fine_tuning.md §5).
#include <cmath>
#include <limits>

#include "core/base/json/json.h"
#include "core/nn/device_upload.h"
#include "core/nn/models/model_choice.h"
#include "core/objectives/answer_losses.h"
#include "core/objectives/encoded_text_objective.h"
#include "core/tasks/squad/squad_decoding.h"

namespace fathom {

namespace {

Json candidateList(const std::vector<SquadCandidate>& candidates) {
  Json list = Json::array();
  for (const SquadCandidate& candidate : candidates)
    list.push_back({candidate.place, jsonReal(candidate.logit)});
  return list;
}

class SquadObjective final : public EncodedTextObjective {
 public:
  SquadObjective(const OptionValues& options, const Task& task)
      : EncodedTextObjective(options),
        m_nBest(task.sizes().at("n_best")),
        m_realOnly(task.sizes().at("real_positions") == 1),
        m_longest(task.sizes().at("longest")) {}

  double ignorantNll() const override {
    return std::log(static_cast<double>(std::max<std::int64_t>(m_longest, 1)));
  }

 protected:
  bool hasGold(const DeviceBatch& batch) const override {
    return batch.host("targets").ge(0).any().item<bool>();
  }

  // Half of both sums, over the windows whose answer is known.
  LossTerms terms(const torch::Tensor& logits, const DeviceBatch& batch) const override {
    const torch::Tensor& targets = batch.array("targets");
    const torch::Tensor known = uploaded(knownWindows(batch), targets.device());
    const torch::Tensor masked = withoutPadding(logits, batch).index_select(0, known);
    const torch::Tensor wanted = targets.index_select(0, known);
    const torch::Tensor nll = summedSpanLoss(masked, wanted);
    const std::int64_t units = known.size(0);
    return {nll, units, {{"nll", nll.detach(), static_cast<double>(units)}}};
  }

  std::vector<torch::Tensor> termUploads(const DeviceBatch& batch) const override {
    return {knownWindows(batch)};
  }

  std::vector<Prediction> predictions(const torch::Tensor& logits, const DeviceBatch& batch) const override {
    const torch::Tensor starts = logits.select(2, 0).contiguous(), ends = logits.select(2, 1).contiguous();
    const torch::Tensor counts = batch.host("windows").contiguous();
    const torch::Tensor parts = batch.host("part").contiguous();
    const torch::Tensor lengths = batch.host("lengths").contiguous();
    const auto width = static_cast<std::size_t>(starts.size(1));
    std::vector<Prediction> list(batch.examples.size());
    std::size_t row = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i].example = batch.examples[i];
      Json windows = Json::array();
      for (std::int64_t w = 0; w < counts.const_data_ptr<std::int64_t>()[i]; ++w, ++row) {
        const std::size_t length =
            m_realOnly ? static_cast<std::size_t>(lengths.const_data_ptr<std::int64_t>()[row]) : width;
        const SquadWindowScores scores =
            squadWindowScores({starts.const_data_ptr<double>() + row * width, length},
                              {ends.const_data_ptr<double>() + row * width, length}, m_nBest);
        windows.push_back({candidateList(scores.starts), candidateList(scores.ends),
                           jsonReal(scores.nullStart), jsonReal(scores.nullEnd)});
      }
      list[i].details = {{"part", parts.const_data_ptr<std::int64_t>()[i]}, {"windows", std::move(windows)}};
      if (batch.raggeds.contains("asked")) list[i].details["asked"] = batch.text("asked", i);
    }
    return list;
  }

 private:
  // Places of the windows whose answer is known, int64 on the host.
  static torch::Tensor knownWindows(const DeviceBatch& batch) {
    return batch.host("targets").select(1, 0).ge(0).nonzero().squeeze(1);
  }
  torch::Tensor withoutPadding(const torch::Tensor& logits, const DeviceBatch& batch) const {
    const torch::Tensor padding = m_realOnly ? pieceRows(batch).padding : torch::Tensor();
    if (!padding.defined()) return logits;
    return logits.masked_fill(padding.unsqueeze(2), -std::numeric_limits<double>::infinity());
  }

  std::int64_t m_nBest;
  bool m_realOnly;
  std::int64_t m_longest;
};

std::vector<OptionRule> squadRules() {
  std::vector<OptionRule> rules =
      encoderHeadRules("span", "answers are found with the head for spans", "squad.max_length");
  addRules(rules,
           readingRules({"span"}, "row_groups", OptionClause::Test::AtLeast, 2,
                        {{"squad.positions", OptionClause::Test::In, {"all"}}},
                        "groups by length compute no padding, which is in the softmax here: choose the "
                        "places without padding",
                        {"squad.positions"}));
  return rules;
}

}  // namespace

ObjectiveEntry squadObjectiveEntry() {
  return {.id = "squad",
          .title = "Start and end of an answer",
          .reference = "BERT §4.2",
          .task = "squad",
          .rules = squadRules,
          .accepts = acceptsEncoder,
          .make = [](const OptionValues& options, const Task& task) -> std::unique_ptr<Objective> {
            checkPositions(options, task, "squad.max_length");
            return std::make_unique<SquadObjective>(options, task);
          }};
}

}  // namespace fathom
