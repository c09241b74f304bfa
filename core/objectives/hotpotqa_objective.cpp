// SPDX-License-Identifier: Apache-2.0
// Supporting facts, kind and ends of an answer: the mean of four losses (docs/long_inputs.md §4).
#include <algorithm>
#include <array>
#include <cmath>

#include "core/nn/device_upload.h"
#include "core/objectives/long_text_objective.h"
#include "core/tasks/hotpotqa/hotpotqa_layout.h"

namespace fathom {

namespace {

enum HotpotOutput : std::uint8_t { kSupporting, kType, kBegin, kEnd };
constexpr int kHotpotLosses = 4;
constexpr double kHotpotTypes = 3;

double meanOf(const HostBatch& batch, const char* lengths) {
  const auto values = batch.array(lengths).values<std::int64_t>();
  double sum = 0;
  for (const std::int64_t one : values) sum += static_cast<double>(one);
  return sum / static_cast<double>(std::max<std::size_t>(values.size(), 1));
}

// Row `row` of a tensor on the CPU.
template <typename T>
std::span<const T> rowValues(const torch::Tensor& all, std::size_t row, std::int64_t length) {
  return {all.const_data_ptr<T>() + static_cast<std::int64_t>(row) * all.size(1),
          static_cast<std::size_t>(length)};
}

class HotpotqaObjective final : public LongTextObjective {
 public:
  explicit HotpotqaObjective(const Task& task)
      : m_realOnly(task.sizes().at("real_positions") == 1), m_longest(task.sizes().at("max_answer")) {
    if (task.batchCount(DataSplit::Train) == 0) return;
    const HostBatch first = task.makeBatch(DataSplit::Train, 0);
    const auto width = [&](const char* tokens, const char* lengths) {
      return m_realOnly ? meanOf(first, lengths) : static_cast<double>(first.array(tokens).size(1));
    };
    const double longs = width("tokens", "lengths"), globals = width("global_tokens", "global_lengths");
    m_ignorant = (globals * std::log(2.0) + std::log(kHotpotTypes) + 2 * std::log(std::max(longs, 1.0))) /
                 kHotpotLosses;
  }

  double ignorantNll() const override { return m_ignorant; }

 protected:
  HeadOutputs outputs(const LongModel& model, const GlobalLocal::Streams& states,
                      const DeviceBatch&) const override {
    const HotpotHeadLogits logits = model.head<HotpotHead>().logits(states.longs, states.globals);
    return {logits.supporting, logits.type, logits.begin, logits.end};
  }

  // Over the examples whose answer is in the input.
  LossTerms terms(const HeadOutputs& outputs, const DeviceBatch& batch) const override {
    const torch::Tensor& types = batch.array("answer_types");
    const torch::Tensor known =
        uploaded(batch.host("answer_types").ge(0).nonzero().squeeze(1), types.device());
    const std::int64_t units = known.size(0);
    const double none = 0;
    if (units == 0) {
      const torch::Tensor zero =
          at::zeros({}, outputs[kType].options().dtype(torch::kFloat64).requires_grad(false));
      return {outputs[kType].sum() * none, 0, lossSums(zero, {zero, zero, zero}, 0)};
    }
    const auto of = [&](const torch::Tensor& all) { return all.index_select(0, known); };
    const auto exact = [&](HotpotOutput which) {
      const torch::Tensor chosen = of(outputs[which]);
      return chosen.to(torch::promoteTypes(chosen.scalar_type(), torch::kFloat32));
    };
    const torch::Tensor longHidden = m_realOnly ? of(longPadding(batch)) : torch::Tensor(),
                        globalHidden = m_realOnly ? of(globalPadding(batch)) : torch::Tensor();
    const torch::Tensor spans = of(batch.array("spans"));
    const torch::Tensor facts = supportLoss(exact(kSupporting), of(batch.array("supporting")), globalHidden),
                        type = placeLoss(exact(kType), of(types)),
                        begin = placeLoss(exact(kBegin), spans.select(1, 0), longHidden),
                        end = placeLoss(exact(kEnd), spans.select(1, 1), longHidden);
    const torch::Tensor loss =
        (facts + type + begin + end).to(torch::kFloat64) * (static_cast<double>(units) / kHotpotLosses);
    return {loss, units, lossSums(loss, {facts, type, (begin + end) / 2}, units)};
  }

  std::vector<Prediction> predictions(const HeadOutputs& outputs, const DeviceBatch& batch) const override {
    const auto onHost = [&](const char* name) { return batch.host(name).contiguous(); };
    const torch::Tensor sentence = onHost("sentence"), paragraph = onHost("paragraph"),
                        facts = onHost("fact_sentences"), parts = onHost("part"), lengths = onHost("lengths"),
                        globals = onHost("global_lengths");
    std::vector<Prediction> list(batch.examples.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::int64_t n = lengths.const_data_ptr<std::int64_t>()[i],
                         g = globals.const_data_ptr<std::int64_t>()[i];
      const auto values = [&](HotpotOutput which, std::int64_t length) {
        const auto row = rowValues<double>(outputs[which], i, length);
        return std::vector<double>(row.begin(), row.end());
      };
      HotpotLogits logits{values(kBegin, n), values(kEnd, n), values(kSupporting, g), {}};
      const auto type = rowValues<double>(outputs[kType], i, 3);
      std::copy(type.begin(), type.end(), logits.type.begin());
      const HotpotChoice choice =
          chooseHotpot({rowValues<std::int32_t>(sentence, i, n), rowValues<std::int32_t>(paragraph, i, n),
                        rowValues<std::int32_t>(facts, i, g)},
                       logits, m_longest);
      list[i] = predictionOf(choice, logits);
      list[i].example = batch.examples[i];
      list[i].details["part"] = parts.const_data_ptr<std::int64_t>()[i];
      if (batch.raggeds.contains("asked")) list[i].details["asked"] = batch.text("asked", i);
    }
    return list;
  }

 private:
  // The whole loss, a sum, and its parts, means over `units` examples: facts, kind of answer, ends of it (the
  // mean of both). Every batch has all of them, so that they can be added up.
  static std::vector<LossSum> lossSums(const torch::Tensor& loss, const std::array<torch::Tensor, 3>& means,
                                       std::int64_t units) {
    const auto count = static_cast<double>(units);
    std::vector<LossSum> sums = {{"nll", loss.detach(), count}};
    const char* const names[] = {"facts_nll", "type_nll", "span_nll"};
    for (std::size_t i = 0; i < means.size(); ++i)
      sums.push_back({names[i], means[i].detach().to(torch::kFloat64) * count, count});
    return sums;
  }

  static Prediction predictionOf(const HotpotChoice& choice, const HotpotLogits& logits) {
    const double top = *std::max_element(logits.type.begin(), logits.type.end());
    double sum = 0;
    for (const double one : logits.type) sum += std::exp(one - top);
    std::vector<double> probabilities;
    for (const std::int32_t place : choice.facts)
      probabilities.push_back(1 / (1 + std::exp(-logits.supporting[static_cast<std::size_t>(place)])));
    Prediction prediction;
    prediction.ids = {static_cast<std::int64_t>(choice.type), choice.span.first, choice.span.second};
    prediction.score = -std::log(sum) + choice.spanScore;
    prediction.details = {{"type", static_cast<int>(choice.type)},
                          {"span", {choice.span.first, choice.span.second}},
                          {"facts", choice.facts},
                          {"fact_probabilities", probabilities}};
    return prediction;
  }

  bool m_realOnly;
  std::int64_t m_longest;
  double m_ignorant = 0;
};

std::vector<OptionRule> hotpotqaRules() {
  return longHeadRules("supported_span", "answers and facts are found with the head for supported spans");
}

}  // namespace

ObjectiveEntry hotpotqaObjectiveEntry() {
  return {.id = "hotpotqa",
          .title = "Supporting facts, kind and ends of an answer",
          .reference = "ETC §4.3; RealFormer §4.3",
          .task = "hotpotqa",
          .rules = hotpotqaRules,
          .accepts = acceptsLong,
          .make = [](const OptionValues&, const Task& task) -> std::unique_ptr<Objective> {
            return std::make_unique<HotpotqaObjective>(task);
          }};
}

}  // namespace fathom
