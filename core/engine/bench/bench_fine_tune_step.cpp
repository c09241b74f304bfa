// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_fine_tune_step.h"

#include <algorithm>
#include <map>
#include <memory>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/nn/models/model_choice.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/objectives/device_batch.h"
#include "core/objectives/encoder_features.h"
#include "core/optim/optimizer.h"
#include "core/record/presets.h"
#include "core/record/runs/run_config.h"
#include "core/train/loop/update_step.h"
#include "core/train/parts/compute_device.h"
#include "core/train/parts/run_options.h"
#include "core/train/parts/run_parts.h"

namespace fathom {

namespace {

constexpr double kFineTuneRate = 5e-5, kFineTuneClip = 1;
constexpr double kFineTuneGap = 1e-4;  // relative, of each loss

Result<OptionValues> fineTuneOptions(const FineTuneStepBench& bench) {
  FATHOM_TRY(const Preset preset, findPreset(bench.preset));
  RunConfig config;
  config.options = preset.options;
  std::vector<std::string> assignments = bench.assignments;
  const std::vector<std::string>& alike = optionsLikePeers();
  assignments.insert(assignments.end(), alike.begin(), alike.end());
  FATHOM_TRY(OptionValues options, runOptions(config, "preset " + bench.preset, assignments));
  if (options.text("model") != "bert")
    return aboutKey("model", usageError(Phrase::tr("the peer has no model '%1'")(options.text("model")),
                                        Phrase::tr("choose bert")));
  return options;
}

// Name of the head's parameters (Bert), and what the peer calls the task.
struct HeadWords {
  const char *head, *name, *kind;
};
constexpr HeadWords kHeads[] = {{"classification", "classification", "classes"},
                                {"multiple_choice", "multiple_choice", "choice"},
                                {"span", "span", "span"}};

Result<HeadWords> headOf(const OptionValues& options) {
  const std::string key = readingKey(options, "head"), head = options.text(key);
  for (const HeadWords& each : kHeads)
    if (head == each.head) return each;
  return aboutKey(key, usageError(Phrase::tr("head '%1' answers no task of fine-tuning")(head),
                                  Phrase::tr("choose a preset of glue, squad or reclor")));
}

class FineTuning {
 public:
  FineTuning(RunParts parts, OptionValues options, std::int64_t updates)
      : m_parts(std::move(parts)), m_options(std::move(options)) {
    initialiseParts(m_parts, m_options, false).value();
    const auto seed = static_cast<std::uint64_t>(m_options.integer("seed"));
    for (std::int64_t epoch = 0; static_cast<std::int64_t>(m_batches.size()) < updates; ++epoch) {
      for (const std::int64_t place : m_parts.task->epochOrder(seed, epoch)) {
        if (static_cast<std::int64_t>(m_batches.size()) == updates) break;
        m_batches.push_back(m_parts.task->makeTrainBatch(epoch, place));
      }
    }
    m_optimizer = makeOptimizer(m_options, m_parts.model->parameters()).value();
    m_update =
        std::make_unique<UpdateStep>(*m_optimizer, Normalisation::PerUnit, ClipRule::Torch, kFineTuneClip);
  }

  // Mean loss of the next batch, before the update.
  double step() {
    const HostBatch& next = m_batches[static_cast<std::size_t>(m_count) % m_batches.size()];
    const DeviceBatch batch = toDevice(next, m_parts.device);
    m_update->begin();
    m_update->add(m_parts.objective->forward(*m_parts.model, batch,
                                             {.seed = 1, .update = m_count++, .training = true}));
    m_update->gradientNorm();
    m_update->apply(kFineTuneRate);
    const UpdateSums& sums = m_update->sums();
    return sums.loss / sums.units;
  }

  // Before the first step.
  Status write(const HeadWords& head, const std::string& folder, int threads) const {
    std::map<std::string, torch::Tensor> encoder, inputs;
    for (auto& [name, tensor] : m_parts.model->parameters().state()) {
      if (name.starts_with(std::string(head.name) + "."))
        inputs.emplace("head" + name.substr(std::string(head.name).size()), tensor);
      else
        encoder.emplace(name, tensor);
    }
    const bool pooled = encoder.contains("pooler.weight");
    OptionValues plain = m_options;
    FATHOM_CHECK(plain.set(readingKey(plain, "head"), "none"));
    const ModelInputs facts(m_parts.task->modelSizes());
    FATHOM_CHECK(writeHuggingFaceEncoder({plain, facts, std::move(encoder), {}}, folder + "/model"));
    for (std::size_t i = 0; i < m_batches.size(); ++i)
      addBatch(m_batches[i], std::to_string(i) + ".", inputs);
    FATHOM_TRY(const std::string hash,
               writeTensors(folder + "/inputs.safetensors", {inputs.begin(), inputs.end()}));
    const auto sizes = m_parts.task->sizes();
    const auto real = sizes.find("real_positions");
    const Json config = {{"threads", threads},
                         {"kind", head.kind},
                         {"pooled", pooled},
                         {"batches", m_batches.size()},
                         {"rate", kFineTuneRate},
                         {"clip", kFineTuneClip},
                         {"real_positions", real != sizes.end() && real->second != 0}};
    return writePeerConfig(folder, config);
  }

  Json batchReport() const {
    double rows = 0, longest = 0, real = 0, all = 0;
    for (const HostBatch& host : m_batches) {
      const DeviceBatch batch = toDevice(host, torch::kCPU);
      const torch::Tensor& tokens = batch.array("tokens");
      rows += static_cast<double>(tokens.size(0));
      longest += static_cast<double>(tokens.size(1));
      real += batch.array("lengths").sum().item<double>();
      all += static_cast<double>(tokens.numel());
    }
    const auto count = static_cast<double>(m_batches.size());
    return {{"count", m_batches.size()},
            {"rows", rows / count},
            {"longest", longest / count},
            {"real", real / all}};
  }

 private:
  static void addBatch(const HostBatch& host, const std::string& prefix,
                       std::map<std::string, torch::Tensor>& to) {
    const DeviceBatch batch = toDevice(host, torch::kCPU);
    const TextBatch text = pieceRows(batch);
    to.emplace(prefix + "tokens", text.tokens.clone());
    to.emplace(prefix + "segments",
               text.segments.defined() ? text.segments.clone() : at::zeros_like(text.tokens));
    to.emplace(prefix + "mask", text.padding.defined() ? text.padding.logical_not().to(torch::kInt64)
                                                       : at::ones_like(text.tokens));
    for (const char* name : {"labels", "targets", "choices"})
      if (const auto found = batch.arrays.find(name); found != batch.arrays.end())
        to.emplace(prefix + name, found->second.is_floating_point() ? found->second.to(torch::kFloat32)
                                                                    : found->second.clone());
  }

  RunParts m_parts;
  OptionValues m_options;
  std::vector<HostBatch> m_batches;
  std::unique_ptr<Optimizer> m_optimizer;
  std::unique_ptr<UpdateStep> m_update;
  std::int64_t m_count = 0;
};

}  // namespace

Status benchFineTuneStep(const FineTuneStepBench& bench) {
  FATHOM_TRY(const OptionValues options, fineTuneOptions(bench));
  FATHOM_TRY(const HeadWords head, headOf(options));
  FATHOM_TRY(RunParts parts, makeRunParts(options, {.device = "cpu"}));
  const int threads = prepareNumerics(torch::kCPU, bench.settings.threads);
  FineTuning ours(std::move(parts), options, bench.updates);
  PairBench pairs = pairBench("fine-tune-step", "fine_tune_step.py", bench.settings);
  pairs.step = [&] { ours.step(); };
  std::vector<double> losses;
  Result<Json> result = runPairBench(pairs, [&](const std::string& folder) -> Status {
    FATHOM_CHECK(ours.write(head, folder, threads));
    for (std::int64_t i = 0; i < bench.updates; ++i) {
      losses.push_back(ours.step());
      pairs.check.push_back({"loss_" + std::to_string(i + 1), losses.back(), kFineTuneGap});
    }
    return {};
  });
  if (result.ok()) {
    (*result)["losses"] = losses;
    (*result)["batches"] = ours.batchReport();
  }
  return finishBench(result, threads);
}

}  // namespace fathom
