// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_nmt_step.h"

#include <algorithm>
#include <memory>

#include "core/engine/bench/bench_step_task.h"
#include "core/init/initialisation.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/objectives/device_batch.h"
#include "core/objectives/label_smoothed_cross_entropy.h"
#include "core/optim/optimizer.h"
#include "core/train/loop/batch_prefetcher.h"
#include "core/train/loop/update_step.h"
#include "core/train/parts/compute_device.h"
#include "core/train/parts/run_options.h"

namespace fathom {

namespace {

constexpr double kRate = 7e-4;
constexpr std::size_t kPrefetch = 16;
constexpr double kLossTolerance = 1e-5, kNormTolerance = 1e-4;  // relative, float32

OptionValues benchOptions(const NmtStepBench& bench, double dropout) {
  Json options;
  options["model.width"] = bench.width;
  options["model.feed_forward"] = bench.feedForward;
  options["model.heads"] = bench.heads;
  for (const char* stack : {"encoder", "decoder"}) {
    const std::string prefix = stack;
    options[prefix + ".layers"] = bench.layers;
    options[prefix + ".residual"] = "post_ln";
  }
  for (const char* place : {"model.dropout", "model.attention_dropout", "model.activation_dropout"})
    options[place] = dropout;
  options["optimizer"] = "radam";
  RunConfig config;
  config.options = options;
  return runOptions(config, "bench", {}).value();
}

// Our side: a model, its optimiser and one batch.
class OurStep {
 public:
  OurStep(const NmtStepBench& bench, const ModelInputs& inputs, const torch::Device& device, double dropout)
      : m_options(benchOptions(bench, dropout)),
        m_model(buildModel(m_options, inputs, torch::TensorOptions().dtype(torch::kFloat32).device(device))
                    .value()),
        m_device(device) {
    initialiseModel(*m_model, m_options, 1).value();
    m_optimizer = makeOptimizer(m_options, m_model->parameters()).value();
    m_update = std::make_unique<UpdateStep>(*m_optimizer, Normalisation::PerUnit, ClipRule::Off, 0);
  }

  // Loss and gradient norm per target token; `apply` also takes the optimiser's step.
  std::pair<double, double> step(const HostBatch& hostBatch, bool apply) {
    const DeviceBatch batch = toDevice(hostBatch, m_device);
    const auto& model = dynamic_cast<const SequenceModel&>(*m_model);
    m_update->begin();
    const StepContext context{.seed = 1, .update = m_count++, .training = true};
    const EncoderMemory memory = model.encode(batch.array("source"), context);
    const torch::Tensor hidden = model.decoderHidden(memory, batch.array("prev_target"), context);
    const SmoothedLoss loss = projectedSmoothedLoss(hidden.flatten(0, 1), model.outputWeight(),
                                                    batch.array("target").flatten(), model.padId(), {0.1});
    m_update->add({loss.lossSum, batch.targetUnits, {}});
    const double norm = m_update->gradientNorm();
    if (apply) m_update->apply(kRate);
    return {m_update->sums().loss / static_cast<double>(batch.targetUnits), norm};
  }
  std::vector<std::pair<std::string, torch::Tensor>> weights() const { return m_model->parameters().state(); }

 private:
  OptionValues m_options;
  std::unique_ptr<Model> m_model;
  torch::Device m_device;
  std::unique_ptr<Optimizer> m_optimizer;
  std::unique_ptr<UpdateStep> m_update;
  std::int64_t m_count = 0;
};

// Hands the peer our weights and one batch.
Status writeInputs(const NmtStepBench& bench, const OurStep& ours, const HostBatch& hostBatch, int threads,
                   const std::string& folder) {
  FATHOM_TRY(const std::string hash, writeTensors(peerWeights(folder), ours.weights()));
  const DeviceBatch batch = toDevice(hostBatch, torch::kCPU);
  FATHOM_TRY(const std::string batchHash,
             writeTensors(peerBatch(folder), {{"source", batch.array("source")},
                                              {"decoder_input", batch.array("prev_target")},
                                              {"target", batch.array("target")}}));
  const Json config = {{"layers", bench.layers}, {"heads", bench.heads}, {"dropout", bench.dropout},
                       {"threads", threads},     {"rate", kRate},        {"device", bench.device}};
  return writePeerConfig(folder, config);
}

Json waitsReport(std::vector<double> waits) {
  std::sort(waits.begin(), waits.end());
  return {{"steps", waits.size()},
          {"wait_p99", waits[static_cast<std::size_t>(0.99 * static_cast<double>(waits.size() - 1))]},
          {"wait_worst", waits.back()}};
}

Json modelReport(const NmtStepBench& bench, std::int64_t units) {
  return {{"layers", bench.layers},   {"width", bench.width},
          {"heads", bench.heads},     {"feed_forward", bench.feedForward},
          {"dropout", bench.dropout}, {"vocabulary", bench.vocabulary},
          {"target_tokens", units}};
}

}  // namespace

Status benchNmtStep(const NmtStepBench& bench) {
  const torch::Device device = chooseDevice(bench.device).value();
  const int threads = prepareNumerics(device, bench.settings.threads);
  const BenchStepTask task(bench.tokens, bench.vocabulary);
  const ModelInputs inputs = ModelInputs::ofVocabulary(bench.vocabulary);
  const HostBatch first = task.makeBatch(DataSplit::Train, 0);
  PairBench pairs = pairBench("nmt-step", "nmt_step.py", bench.settings);
  auto plain = std::make_unique<OurStep>(bench, inputs, device, 0);
  const auto [loss, norm] = plain->step(first, false);
  pairs.check = {{"loss", loss, kLossTolerance}, {"grad_norm", norm, kNormTolerance}};
  OurStep ours(bench, inputs, device, bench.dropout);
  BatchPrefetcher batches(task, DataCursor(task, 1, 1, {}), kPrefetch);
  ours.step(batches.next().batch, true);
  std::vector<double> waits;  // for the batch, share of the step
  pairs.step = [&] {
    const double started = BenchClock::now().wall;
    ours.step(batches.next().batch, true);
    waits.push_back(batches.lastWait() / (BenchClock::now().wall - started));
  };
  Result<Json> result = runPairBench(pairs, [&](const std::string& folder) {
    const Status written = writeInputs(bench, *plain, first, threads, folder);
    plain.reset();  // its memory is not ours while timing
    return written;
  });
  if (result.ok()) {
    const std::int64_t units = task.batchTargetUnits(DataSplit::Train, 0);
    (*result)["model"] = modelReport(bench, units);
    (*result)["device"] = device.str();
    (*result)["target_tokens_per_s"] = static_cast<double>(units) / (*result)["seconds_a_step"].get<double>();
    waits.erase(waits.begin());  // of the step before timing
    (*result)["prefetch"] = waitsReport(waits);
  }
  return finishBench(result, threads);
}

}  // namespace fathom
