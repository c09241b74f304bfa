// SPDX-License-Identifier: Apache-2.0
// Key phrases: one softmax over all n-grams of a page (docs/long_inputs.md §4).
#include <cmath>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/json/json.h"
#include "core/nn/device_upload.h"
#include "core/nn/models/model_choice.h"
#include "core/objectives/long_text_objective.h"

namespace fathom {

namespace {

constexpr double kPhraseSmoothing = 1e-4;
constexpr std::int64_t kPhraseCells = 128;  // of a page that are told: repeated phrases are dropped later

class OpenKpObjective final : public LongTextObjective {
 public:
  explicit OpenKpObjective(const Task& task)
      : m_realOnly(task.sizes().at("real_positions") == 1),
        m_cells(static_cast<double>(task.sizes().at("longest_phrase") *
                                    std::max<std::int64_t>(task.sizes().at("longest"), 1))) {}

  double ignorantNll() const override { return std::log(m_cells); }

 protected:
  LongBatch input(const DeviceBatch& batch) const override {
    LongBatch both = longBatchOf(batch);
    both.globalFeatures = batch.array("visual");
    return both;
  }

  HeadOutputs outputs(const LongModel& model, const GlobalLocal::Streams& states,
                      const DeviceBatch& batch) const override {
    return {model.head<PhraseHead>().logits(states.longs, batch.array("words"), batch.array("word_counts"))};
  }

  // Cross entropy with the smoothed target; pages without a label in their input have none.
  LossTerms terms(const HeadOutputs& outputs, const DeviceBatch& batch) const override {
    const torch::Tensor& logits = outputs[0];
    const std::int64_t longest = logits.size(1), width = logits.size(2);
    const auto exact = torch::promoteTypes(logits.scalar_type(), torch::kFloat32);
    const torch::Tensor logP = logits.to(exact).flatten(1).log_softmax(1);  // [B, longest · n]
    const DeviceBatch::Ragged& labels = batch.raggeds.at("labels");
    const torch::Tensor counts = labels.offsets.diff(), given = counts.gt(0);
    const torch::Tensor rowsOfLabels =
        at::arange(counts.size(0), counts.options()).repeat_interleave(counts, 0, labels.values.size(0));
    DeviceUpload upload(logits.device());
    const torch::Tensor rows = upload.add(rowsOfLabels), trained = upload.add(given),
                        share = upload.add(counts.clamp_min(1).to(torch::kFloat64).reciprocal()),
                        places =
                            upload.add((rowsOfLabels * longest + labels.values.select(1, 0) - 1) * width +
                                       labels.values.select(1, 1));
    upload.send();
    const torch::Tensor named =
        (logP.flatten().index_select(0, places).to(torch::kFloat64) * share.index_select(0, rows)).sum();
    torch::Tensor even;
    if (m_realOnly) {
      const torch::Tensor real = realPhrases(batch, longest, width).flatten(1);
      even = logP.masked_fill(real.logical_not(), 0.0).sum(1, false, torch::kFloat64) /
             real.sum(1).clamp_min(1).to(torch::kFloat64);
    } else {
      even = logP.mean(1, false, torch::kFloat64);
    }
    const torch::Tensor nll =
        -(named + kPhraseSmoothing * even.masked_fill(trained.logical_not(), 0.0).sum()) /
        (1 + kPhraseSmoothing);
    const auto units = std::max<std::int64_t>(given.sum().item<std::int64_t>(), 1);
    return {nll, units, {{"nll", nll.detach(), static_cast<double>(units)}}};
  }

  std::vector<Prediction> predictions(const HeadOutputs& outputs, const DeviceBatch& batch) const override {
    const std::int64_t width = outputs[0].size(2);
    const torch::Tensor logP = outputs[0].flatten(1).log_softmax(1);
    const std::int64_t kept = std::min(kPhraseCells, logP.size(1));
    const auto [values, places] = logP.topk(kept, 1);
    const torch::Tensor best = values.contiguous(), cells = places.contiguous();
    const torch::Tensor parts = batch.host("part").contiguous();
    std::vector<Prediction> list(batch.examples.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::size_t first = i * static_cast<std::size_t>(kept);
      const std::size_t end = first + static_cast<std::size_t>(kept);
      Json scores = Json::array();
      for (std::size_t c = first; c < end; ++c) scores.push_back(jsonReal(best.const_data_ptr<double>()[c]));
      list[i].example = batch.examples[i];
      list[i].score = best.const_data_ptr<double>()[first];
      list[i].details = {{"part", parts.const_data_ptr<std::int64_t>()[i]},
                         {"width", width},
                         {"cells", std::vector<std::int64_t>(cells.const_data_ptr<std::int64_t>() + first,
                                                             cells.const_data_ptr<std::int64_t>() + end)},
                         {"scores", std::move(scores)}};
      if (batch.raggeds.contains("asked")) list[i].details["asked"] = batch.text("asked", i);
    }
    return list;
  }

 private:
  // Bool [B, longest, n]: there is a phrase of so many words that begins there.
  static torch::Tensor realPhrases(const DeviceBatch& batch, std::int64_t longest, std::int64_t width) {
    const torch::Tensor& count = batch.array("word_counts");
    const torch::Tensor begins = at::arange(width, count.options()).view({1, 1, width});
    const torch::Tensor words = at::arange(1, longest + 1, count.options()).view({1, longest, 1});
    return (begins + words).le(count.view({-1, 1, 1}));
  }

  bool m_realOnly;
  double m_cells;
};

}  // namespace

ObjectiveEntry openkpObjectiveEntry() {
  return {.id = "openkp",
          .title = "Key phrases of a page",
          .reference = "ETC §4.2",
          .task = "openkp",
          .rules = [] { return longHeadRules("phrases", "key phrases are found with the head for phrases"); },
          .accepts = acceptsLong,
          .make = [](const OptionValues& options, const Task& task) -> std::unique_ptr<Objective> {
            const std::string key = readingKey(options, "longest_phrase");
            const std::int64_t own = options.integer(key);
            const std::int64_t wanted = task.sizes().at("longest_phrase");
            if (own != wanted)
              throw Failure(
                  aboutKey(key, usageError(Phrase::tr("%1=%2, but openkp.max_phrase=%3")(key, own, wanted),
                                           Phrase::tr("give both the same number"))));
            return std::make_unique<OpenKpObjective>(task);
          }};
}

}  // namespace fathom
