// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench_nmt_step.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "core/base/atomic_file.h"
#include "core/base/random_stream.h"
#include "core/engine/bench_peer.h"
#include "core/engine/engine_verbs.h"
#include "core/init/initialisation.h"
#include "core/objectives/label_smoothed_cross_entropy.h"
#include "core/optim/optimizer.h"
#include "core/train/compute_device.h"
#include "core/train/run_options.h"
#include "core/train/tensor_file.h"
#include "core/train/update_step.h"

namespace fathom {

namespace {

constexpr double kRate = 7e-4;

struct StepBatch {
  torch::Tensor source, decoderInput, target;
  std::int64_t units = 0;
};

// Sentences of similar lengths, as max-token batching makes them: source left padded, target right padded.
StepBatch makeStepBatch(const NmtStepBench& bench, const ModelInputs& inputs) {
  constexpr std::int64_t kLongest = 28, kShortest = 22;
  const std::int64_t rows = std::max<std::int64_t>(8, bench.tokens / kLongest / 8 * 8);
  RandomStream random(streamSeed(1, "bench.nmt_step"));
  const auto token = [&] {
    return 4 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bench.vocabulary - 4)));
  };
  const auto length = [&] {
    return kShortest + static_cast<std::int64_t>(random.below(kLongest - kShortest + 1));
  };
  StepBatch batch;
  batch.source = torch::full({rows, kLongest}, inputs.padId, torch::kInt64);
  batch.decoderInput = batch.source.clone();
  batch.target = batch.source.clone();
  auto source = batch.source.accessor<std::int64_t, 2>();
  auto input = batch.decoderInput.accessor<std::int64_t, 2>();
  auto target = batch.target.accessor<std::int64_t, 2>();
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t s = row == 0 ? kLongest : length(), t = row == 0 ? kLongest : length();
    for (std::int64_t i = kLongest - s; i < kLongest - 1; ++i) source[row][i] = token();
    source[row][kLongest - 1] = inputs.eosId;
    for (std::int64_t i = 0; i < t - 1; ++i) target[row][i] = token();
    target[row][t - 1] = inputs.eosId;
    input[row][0] = inputs.eosId;
    for (std::int64_t i = 1; i < t; ++i) input[row][i] = target[row][i - 1];
    batch.units += t;
  }
  return batch;
}

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
        m_batch(makeStepBatch(bench, inputs)) {
    initialiseModel(*m_model, m_options, 1).value();
    m_optimizer = makeOptimizer(m_options, m_model->parameters()).value();
    m_update = std::make_unique<UpdateStep>(*m_optimizer, Normalisation::PerUnit, ClipRule::Off, 0);
    for (torch::Tensor* tensor : {&m_batch.source, &m_batch.decoderInput, &m_batch.target})
      *tensor = tensor->to(device);
  }

  // Loss and gradient norm per target token; `apply` also takes the optimiser's step.
  std::pair<double, double> step(bool apply) {
    const auto& model = dynamic_cast<const SequenceModel&>(*m_model);
    m_update->begin();
    const StepContext context{.seed = 1, .update = m_count++, .training = true};
    const EncoderMemory memory = model.encode(m_batch.source, context);
    const torch::Tensor hidden = model.decoderHidden(memory, m_batch.decoderInput, context);
    const SmoothedLoss loss = projectedSmoothedLoss(hidden.flatten(0, 1), model.outputWeight(),
                                                    m_batch.target.flatten(), model.padId(), {0.1});
    m_update->add({loss.lossSum, m_batch.units, {}});
    const double norm = m_update->gradientNorm();
    if (apply) m_update->apply(kRate);
    return {m_update->sums().loss / static_cast<double>(m_batch.units), norm};
  }
  const StepBatch& batch() const { return m_batch; }
  std::vector<std::pair<std::string, torch::Tensor>> weights() const { return m_model->parameters().state(); }

 private:
  OptionValues m_options;
  std::unique_ptr<Model> m_model;
  StepBatch m_batch;
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
Result<std::unique_ptr<BenchPeer>> startPeer(const NmtStepBench& bench, const OurStep& ours, int threads,
                                             const std::string& folder) {
  const std::string script = findPeerScript(bench);
  if (script.empty())
    return resourceError("the peer's script nmt_step.py was not found", "give it with --peer");
  FATHOM_TRY(const std::string hash, writeTensors(folder + "/weights.safetensors", ours.weights()));
  const StepBatch& batch = ours.batch();
  FATHOM_TRY(const std::string batchHash,
             writeTensors(folder + "/batch.safetensors", {{"source", batch.source},
                                                          {"decoder_input", batch.decoderInput},
                                                          {"target", batch.target}}));
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
  double wall = 0, cpu = 0, peerCpu = 0;
};

void timePairs(const NmtStepBench& bench, OurStep& ours, BenchPeer* peer, Timing& timing) {
  const auto steps = static_cast<double>(bench.steps);
  for (std::int64_t pair = 0; pair < bench.pairs; ++pair) {
    const BenchClock begin = BenchClock::now();
    for (std::int64_t i = 0; i < bench.steps; ++i) ours.step(true);
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

Json report(const NmtStepBench& bench, const Timing& timing, const StepBatch& batch, double load) {
  Json json;
  json["bench"] = "nmt-step";
  json["seconds_a_step"] = median(timing.ours);
  json["target_tokens_per_s"] = static_cast<double>(batch.units) / median(timing.ours);
  json["cpu_to_wall"] = timing.cpu / timing.wall;
  json["foreign_load"] = load;
  json["noisy"] = load > 0.1;
  json["pairs"] = bench.pairs;
  if (!timing.ratios.empty()) {
    json["peer_seconds_a_step"] = median(timing.peer);
    json["ratio"] = median(timing.ratios);
    json["cpu_ratio"] = timing.peerCpu / timing.cpu;  // what the processor did, whoever else wanted it
    json["ratio_lowest"] = *std::min_element(timing.ratios.begin(), timing.ratios.end());
    json["ratio_highest"] = *std::max_element(timing.ratios.begin(), timing.ratios.end());
  }
  return json;
}

}  // namespace

ExitCode benchNmtStep(const NmtStepBench& bench) {
  const torch::Device device = chooseDevice(bench.device).value();
  const int threads = prepareNumerics(device, bench.threads);
  ModelInputs inputs;
  inputs.sourceVocabulary = inputs.targetVocabulary = bench.vocabulary;
  inputs.jointVocabulary = true;
  char folder[] = "/tmp/fathom-bench-XXXXXX";
  if (::mkdtemp(folder) == nullptr) return ExitCode::Disk;
  Json check = Json::object();
  std::unique_ptr<BenchPeer> peer;
  {
    OurStep plain(bench, inputs, device, 0);
    const auto [loss, norm] = plain.step(false);
    check = {{"loss", loss}, {"grad_norm", norm}};
    auto started = startPeer(bench, plain, threads, folder);
    if (started.ok()) {
      peer = std::move(started).value();
      const Json theirs = peer->ask("check").value();
      check["peer_loss"] = theirs.at("loss");
      check["peer_grad_norm"] = theirs.at("grad_norm");
      const double lossGap = std::abs(theirs.at("loss").get<double>() / loss - 1);
      const double normGap = std::abs(theirs.at("grad_norm").get<double>() / norm - 1);
      check["equal"] = lossGap < 1e-5 && normGap < 1e-4;
      if (!check["equal"].get<bool>()) {
        std::cout << check.dump(1) << std::endl;
        return reportError(numericError("the peer computes something else; nothing was timed"));
      }
    } else {
      check["peer"] = started.error().text();
    }
  }
  OurStep ours(bench, inputs, device, bench.dropout);
  for (int i = 0; i < 2; ++i) ours.step(true);
  if (peer) peer->ask("run 2").value();
  Timing timing;
  const BenchClock begin = BenchClock::now();
  timePairs(bench, ours, peer.get(), timing);
  const BenchClock end = BenchClock::now();
  Json json = report(bench, timing, ours.batch(), foreignLoad(begin, end, timing.cpu + timing.peerCpu));
  json["threads"] = threads;
  json["check"] = check;
  std::cout << json.dump(1) << std::endl;
  peer.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return ExitCode::Finished;
}

}  // namespace fathom
