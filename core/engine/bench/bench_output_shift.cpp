// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_output_shift.h"

#include <set>

#include "core/engine/bench/bench_layers.h"
#include "core/init/initialisation.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/nn/residual/residual_scheme.h"
#include "core/probe/stack_shift.h"
#include "core/train/parts/compute_device.h"

namespace fathom {

namespace {

constexpr const char* kSchemes[] = {"post_ln", "pre_ln", "admin"};
constexpr std::int64_t kVocabulary = 1000;
constexpr double kDelta = 1e-4;

// An encoder of the largest depth; the decoder is as small as it can be and never run.
struct Net {
  std::unique_ptr<Model> model;
  const SequenceModel* sequence = nullptr;
};

Net netOf(const OutputShiftBench& bench, const std::string& scheme, std::uint64_t seed,
          const torch::Tensor& tokens) {
  const OptionValues options = benchModelOptions({{"model", "encoder_decoder"},
                                                  {"model.width", bench.width},
                                                  {"model.heads", bench.heads},
                                                  {"model.feed_forward", bench.feedForward},
                                                  {"model.dropout", 0.0},
                                                  {"encoder.layers", bench.deepest},
                                                  {"decoder.layers", 1},
                                                  {"encoder.residual", scheme},
                                                  {"decoder.residual", "post_ln"}});
  const ModelInputs inputs = ModelInputs::ofVocabulary(kVocabulary);
  Net net;
  net.model = buildModel(options, inputs, torch::TensorOptions(torch::kFloat32)).value();
  net.sequence = dynamic_cast<const SequenceModel*>(net.model.get());
  const auto encode = [&](std::int64_t, const StepContext& context) {
    const torch::NoGradGuard noGradients;
    net.sequence->encode(tokens, context);
  };
  initialiseModel(*net.model, options, seed, encode, 1).value();
  return net;
}

class InputRecorder : public ForwardObserver {
 public:
  torch::Tensor input;
  void stackInput(StackKind, const torch::Tensor& x0) override { input = x0.detach().clone(); }
};

class ShiftWork {
 public:
  explicit ShiftWork(const OutputShiftBench& bench) : m_bench(bench) {
    at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
    generator.set_current_seed(1);
    m_tokens = at::randint(4, kVocabulary, {bench.rows, bench.length}, generator, torch::kInt64);
    for (std::int64_t depth = bench.every; depth <= bench.deepest; depth += bench.every)
      m_layers.insert(depth - 1);
    for (std::int64_t seed = 1; seed <= bench.seeds; ++seed)
      for (const char* scheme : kSchemes)
        m_nets.push_back(netOf(bench, scheme, static_cast<std::uint64_t>(seed), m_tokens));
  }

  // Sums over the seeds, scheme after scheme, depth after depth.
  std::vector<double> step() const {
    std::vector<double> sums(std::size(kSchemes) * m_layers.size(), 0.0);
    for (std::size_t i = 0; i < m_nets.size(); ++i) {
      const Net& net = m_nets[i];
      const auto forward = [&](const StepContext& context) { net.sequence->encode(m_tokens, context); };
      const StackShift shift =
          probeOutputShift(net.model->parameters(), net.model->residual(StackKind::Encoder), {{forward, {}}},
                           {}, changeOf(i), m_layers)
              .value();
      for (std::size_t d = 0; d < m_layers.size(); ++d)
        sums[i % std::size(kSchemes) * m_layers.size() + d] += shift.afterTopNorm[d].raw.real;
    }
    return sums;
  }

  std::vector<BenchCheck> checks(const std::vector<double>& sums) const {
    std::vector<BenchCheck> list;
    for (const char* scheme : kSchemes)
      for (const std::int64_t layer : m_layers)
        list.push_back({std::string(scheme) + "." + std::to_string(layer + 1), sums[list.size()]});
    return list;
  }

  // Weights, signs and input are those of every scheme of a seed; each Admin net has its omega.
  Status write(const std::string& folder, int threads) const {
    std::vector<std::pair<std::string, torch::Tensor>> tensors;
    for (std::size_t i = 0; i < m_nets.size(); ++i) {
      const std::size_t seed = i / std::size(kSchemes) + 1;
      if (i % std::size(kSchemes) == 0) {
        FATHOM_CHECK(writeSeed(folder, i, seed));
        tensors.emplace_back(std::to_string(seed) + ".input", inputOf(m_nets[i]));
      }
      for (const auto& [name, tensor] : m_nets[i].model->parameters().state())
        if (name.ends_with(".omega")) tensors.emplace_back(std::to_string(seed) + "." + name, tensor);
    }
    FATHOM_TRY(const std::string hash, writeTensors(peerBatch(folder), tensors));
    const Json config = {{"deepest", m_bench.deepest}, {"every", m_bench.every}, {"seeds", m_bench.seeds},
                         {"heads", m_bench.heads},     {"delta", kDelta},        {"threads", threads}};
    return writePeerConfig(folder, config);
  }

 private:
  torch::Tensor inputOf(const Net& net) const {
    InputRecorder recorder;
    const torch::NoGradGuard noGradients;
    StepContext context;
    context.observer = &recorder;
    net.sequence->encode(m_tokens, context);
    return recorder.input;
  }
  Perturbation changeOf(std::size_t net) const {
    Perturbation change;
    change.delta = kDelta;
    change.seed = net / std::size(kSchemes) + 1;
    change.stack = StackKind::Encoder;
    return change;
  }

  // The signs are what the change takes away, over delta.
  Status writeSeed(const std::string& folder, std::size_t net, std::size_t seed) const {
    ParameterStore& store = m_nets[net].model->parameters();
    std::vector<std::pair<std::string, torch::Tensor>> weights, signs;
    for (const auto& [name, tensor] : store.state())
      if (name.starts_with("encoder.layers.")) weights.emplace_back(name, tensor);
    {
      const PerturbedWeights changed(store, changeOf(net));
      for (const auto& [name, before] : weights) {
        const torch::Tensor sign = (before - store.value(name).detach()).sign();
        if (sign.any().item<bool>()) signs.emplace_back(name, sign);
      }
    }
    const std::string end = "." + std::to_string(seed) + ".safetensors";
    FATHOM_TRY(const std::string first, writeTensors(folder + "/weights" + end, weights));
    FATHOM_TRY(const std::string second, writeTensors(folder + "/signs" + end, signs));
    return {};
  }

  OutputShiftBench m_bench;
  torch::Tensor m_tokens;
  std::set<std::int64_t> m_layers;
  std::vector<Net> m_nets;
};

}  // namespace

Status benchOutputShift(const OutputShiftBench& bench) {
  if (bench.deepest % bench.every != 0) return usageError("--deepest must be a multiple of --every");
  const int threads = prepareNumerics(torch::kCPU, bench.settings.threads);
  const ShiftWork ours(bench);
  PairBench pairs = pairBench("output-shift", "output_shift.py", bench.settings);
  pairs.step = [&] { ours.step(); };
  pairs.check = ours.checks(ours.step());
  return finishBench(
      runPairBench(pairs, [&](const std::string& folder) { return ours.write(folder, threads); }), threads);
}

}  // namespace fathom
