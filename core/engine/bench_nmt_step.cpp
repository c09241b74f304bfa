// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench_nmt_step.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "core/base/atomic_file.h"
#include "core/engine/bench_peer.h"
#include "core/engine/bench_step_task.h"
#include "core/engine/engine_verbs.h"
#include "core/init/initialisation.h"
#include "core/objectives/device_batch.h"
#include "core/objectives/label_smoothed_cross_entropy.h"
#include "core/optim/optimizer.h"
#include "core/train/batch_prefetcher.h"
#include "core/train/compute_device.h"
#include "core/train/run_options.h"
#include "core/train/tensor_file.h"
#include "core/train/update_step.h"

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

std::string findPeerScript(const NmtStepBench& bench) {
  if (!bench.peerScript.empty()) return bench.peerScript;
  std::error_code code;
  std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", code).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    const auto candidate = folder / "packaging" / "bench_peers" / "nmt_step.py";
    if (std::filesystem::exists(candidate)) return candidate.string();
  }
  return {};
}

// Hands the peer our weights and batch through a folder of files, and checks that it computes the same.
Result<std::unique_ptr<BenchPeer>> startPeer(const NmtStepBench& bench, const OurStep& ours,
                                             const HostBatch& hostBatch, int threads,
                                             const std::string& folder) {
  const std::string script = findPeerScript(bench);
  if (script.empty())
    return resourceError("the peer's script nmt_step.py was not found", "give it with --peer");
  FATHOM_TRY(const std::string hash, writeTensors(folder + "/weights.safetensors", ours.weights()));
  const DeviceBatch batch = toDevice(hostBatch, torch::kCPU);
  FATHOM_TRY(const std::string batchHash,
             writeTensors(folder + "/batch.safetensors", {{"source", batch.array("source")},
                                                          {"decoder_input", batch.array("prev_target")},
                                                          {"target", batch.array("target")}}));
  Json config;
  config["layers"] = bench.layers;
  config["heads"] = bench.heads;
  config["dropout"] = bench.dropout;
  config["threads"] = threads;
  config["rate"] = kRate;
  config["device"] = bench.device;
  FATHOM_CHECK(writeFileAtomically(folder + "/config.json", config.dump()));
  FATHOM_TRY(auto peer, BenchPeer::start({bench.python, script, folder}));
  FATHOM_TRY(const Json ready, peer->ask("check"));
  return peer;
}

struct Timing {
  std::vector<double> ours, peer, ratios;  // seconds a step
  std::vector<double> waits;               // for the batch, share of the step
  double wall = 0, cpu = 0, peerCpu = 0;
};

void timePairs(const NmtStepBench& bench, OurStep& ours, BatchPrefetcher& batches, BenchPeer* peer,
               Timing& timing) {
  const auto steps = static_cast<double>(bench.steps);
  for (std::int64_t pair = 0; pair < bench.pairs; ++pair) {
    const BenchClock begin = BenchClock::now();
    for (std::int64_t i = 0; i < bench.steps; ++i) {
      const double started = BenchClock::now().wall;
      ours.step(batches.next().batch, true);
      timing.waits.push_back(batches.lastWait() / (BenchClock::now().wall - started));
    }
    const BenchClock end = BenchClock::now();
    timing.ours.push_back((end.wall - begin.wall) / steps);
    timing.wall += end.wall - begin.wall;
    timing.cpu += end.cpu - begin.cpu;
    if (peer == nullptr) continue;
    const Json answer = peer->ask("run " + std::to_string(bench.steps)).value();
    timing.peer.push_back(answer.at("seconds").get<double>() / steps);
    timing.peerCpu += answer.at("cpu").get<double>();
    timing.ratios.push_back(timing.peer.back() / timing.ours.back());
  }
}

Json report(const NmtStepBench& bench, const Timing& timing, std::int64_t units, double load) {
  Json json;
  json["format"] = 1;
  json["bench"] = "nmt-step";
  json["model"] = {{"layers", bench.layers},   {"width", bench.width},
                   {"heads", bench.heads},     {"feed_forward", bench.feedForward},
                   {"dropout", bench.dropout}, {"vocabulary", bench.vocabulary},
                   {"target_tokens", units}};
  json["pairs"] = bench.pairs;
  json["steps"] = bench.steps;
  json["seconds_a_step"] = median(timing.ours);
  json["target_tokens_per_s"] = static_cast<double>(units) / median(timing.ours);
  json["cpu_to_wall"] = timing.cpu / timing.wall;
  json["foreign_load"] = load;
  json["noisy"] = load > 0.1;
  std::vector<double> waits = timing.waits;
  std::sort(waits.begin(), waits.end());
  json["prefetch"] = {
      {"steps", waits.size()},
      {"wait_p99", waits[static_cast<std::size_t>(0.99 * static_cast<double>(waits.size() - 1))]},
      {"wait_worst", waits.back()}};
  if (!timing.ratios.empty()) {
    json["peer_seconds_a_step"] = median(timing.peer);
    json["ratio"] = median(timing.ratios);
    json["cpu_ratio"] = timing.peerCpu / timing.cpu;  // what the processor did, whoever else wanted it
    json["ratio_lowest"] = *std::min_element(timing.ratios.begin(), timing.ratios.end());
    json["ratio_highest"] = *std::max_element(timing.ratios.begin(), timing.ratios.end());
  }
  return json;
}

// A folder that goes when this does.
class BenchFolder {
 public:
  BenchFolder() {
    if (::mkdtemp(m_path) == nullptr) throw Failure(systemError("cannot create", m_path, errno));
  }
  ~BenchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  const char* path() const { return m_path; }

 private:
  char m_path[32] = "/tmp/fathom-bench-XXXXXX";
};

// Loss and gradient norm of the first batch without dropout, ours and the peer's; starts the peer.
Json checkEqual(const NmtStepBench& bench, OurStep& plain, const HostBatch& batch, int threads,
                const std::string& folder, std::unique_ptr<BenchPeer>& peer) {
  const auto [loss, norm] = plain.step(batch, false);
  Json check = {{"loss", loss}, {"grad_norm", norm}};
  auto started = startPeer(bench, plain, batch, threads, folder);
  if (!started.ok()) {
    check["peer"] = started.error().text();
    return check;
  }
  peer = std::move(started).value();
  const Json theirs = peer->ask("check").value();
  check["peer_loss"] = theirs.at("loss");
  check["peer_grad_norm"] = theirs.at("grad_norm");
  const double lossGap = std::abs(theirs.at("loss").get<double>() / loss - 1);
  const double normGap = std::abs(theirs.at("grad_norm").get<double>() / norm - 1);
  check["equal"] = lossGap < kLossTolerance && normGap < kNormTolerance;
  return check;
}

}  // namespace

ExitCode benchNmtStep(const NmtStepBench& bench) {
  const torch::Device device = chooseDevice(bench.device).value();
  const int threads = prepareNumerics(device, bench.threads);
  const BenchStepTask task(bench.tokens, bench.vocabulary);
  ModelInputs inputs;
  inputs.sourceVocabulary = inputs.targetVocabulary = bench.vocabulary;
  inputs.jointVocabulary = true;
  const BenchFolder folder;
  std::unique_ptr<BenchPeer> peer;
  Json check;
  {
    OurStep plain(bench, inputs, device, 0);
    check = checkEqual(bench, plain, task.makeBatch(DataSplit::Train, 0), threads, folder.path(), peer);
  }
  if (!check.value("equal", true)) {
    std::cout << check.dump(1) << std::endl;
    return reportError(numericError("the peer computes something else; nothing was timed"));
  }
  OurStep ours(bench, inputs, device, bench.dropout);
  BatchPrefetcher batches(task, DataCursor(task, 1, 1, {}), kPrefetch);
  for (int i = 0; i < 2; ++i) ours.step(batches.next().batch, true);
  if (peer) peer->ask("run 2").value();
  Timing timing;
  const BenchClock begin = BenchClock::now();
  timePairs(bench, ours, batches, peer.get(), timing);
  const BenchClock end = BenchClock::now();
  Json json = report(bench, timing, task.batchTargetUnits(DataSplit::Train, 0),
                     foreignLoad(begin, end, timing.cpu + timing.peerCpu));
  json["device"] = device.str();
  json["threads"] = threads;
  json["check"] = check;
  std::cout << json.dump(1) << std::endl;
  return ExitCode::Finished;
}

}  // namespace fathom
