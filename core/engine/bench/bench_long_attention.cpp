// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_long_attention.h"

#include <malloc.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iostream>

#include "core/nn/attention/global_local.h"
#include "core/train/parts/compute_device.h"

namespace fathom {

namespace {

constexpr double kFormGap = 2e-4;  // relative, float32

std::int64_t memoryHeld() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("VmRSS:")) return std::stoll(line.substr(6)) * 1024;
  return 0;
}

// Sentences of 32 tokens, each with a global token; the others stand for paragraphs.
LongStructure benchStructure(std::int64_t length, std::int64_t globals) {
  const torch::Tensor places = at::arange(length, torch::kInt32).unsqueeze(0);
  LongStructure s;
  s.context = at::ones({1, length}, torch::kInt32);
  s.sentence = places.div(32, "trunc").remainder(globals).to(torch::kInt32).contiguous();
  s.paragraph = places.div(256, "trunc").remainder(globals).to(torch::kInt32).contiguous();
  s.link = at::full({1, length}, -1, torch::kInt32);
  s.globalContext = at::ones({1, globals}, torch::kInt32);
  s.everything = at::zeros({1, globals}, torch::kInt32);
  return s;
}

class LongStep {
 public:
  using Form = GlobalLocalOutputs (*)(const GlobalLocalInputs&, const LongStructure&,
                                      const GlobalLocalRules&);
  LongStep(const LongAttentionBench& bench, std::int64_t length)
      : m_structure(benchStructure(length, bench.globals)) {
    m_rules.heads = bench.heads;
    m_rules.radius = bench.radius;
    at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
    generator.set_current_seed(3);
    const auto leaf = [&](torch::IntArrayRef shape, double deviation) {
      return at::empty(shape, torch::TensorOptions(torch::kFloat32))
          .normal_(0, deviation, generator)
          .requires_grad_();
    };
    const std::int64_t types = m_rules.ids.otherContext() + 1, d = bench.width;
    m_inputs.longRows = leaf({1, length, 3 * d}, 1);
    m_inputs.globalRows = leaf({1, bench.globals, 3 * d}, 1);
    m_inputs.longTable = leaf({types, d}, .5);
    m_inputs.globalTable = leaf({types, d}, .5);
    m_inputs.longBias = leaf({types, bench.heads}, .1);
    m_inputs.globalBias = leaf({types, bench.heads}, .1);
    m_long = leaf({1, length, d}, 1);
    m_global = leaf({1, bench.globals, d}, 1);
    m_maps = leaf({3 * d, d}, 1 / std::sqrt(static_cast<double>(d)));
  }

  // The same from the states: with the maps to queries, keys and values, as a layer of the peer has them.
  void stepOfStates() {
    for (torch::Tensor* leaf : {&m_long, &m_global, &m_maps}) leaf->mutable_grad() = torch::Tensor();
    GlobalLocalInputs inputs = m_inputs;
    inputs.longRows = at::linear(m_long, m_maps);
    inputs.globalRows = at::linear(m_global, m_maps);
    const GlobalLocalOutputs out = globalLocalBlocks(inputs, m_structure, m_rules);
    (out.longRows.sin().sum() + out.globalRows.sin().sum()).backward();
  }

  void clear() {
    for (torch::Tensor* leaf : leaves()) leaf->mutable_grad() = torch::Tensor();
  }
  // The sum of sines of both streams.
  double step(Form form) {
    clear();
    const GlobalLocalOutputs out = form(m_inputs, m_structure, m_rules);
    const torch::Tensor loss = out.longRows.sin().sum() + out.globalRows.sin().sum();
    loss.backward();
    return loss.item<double>();
  }
  double gradientNorm() {
    double squares = 0;
    for (const torch::Tensor* leaf : leaves())
      squares += leaf->grad().square().sum(torch::kFloat64).item<double>();
    return std::sqrt(squares);
  }

 private:
  std::array<torch::Tensor*, 6> leaves() {
    return {&m_inputs.longRows,    &m_inputs.globalRows, &m_inputs.longTable,
            &m_inputs.globalTable, &m_inputs.longBias,   &m_inputs.globalBias};
  }
  LongStructure m_structure;
  GlobalLocalRules m_rules;
  GlobalLocalInputs m_inputs;
  torch::Tensor m_long, m_global, m_maps;
};

// Seconds, of the clock and of processors, and bytes beyond what was there of one step.
struct LongMeasurement {
  double seconds = 0, cpu = 0;
  std::int64_t bytes = 0;
};
LongMeasurement measuredLong(LongStep& step, LongStep::Form form) {
  step.clear();
  malloc_trim(0);  // what earlier steps have freed is not there
  const std::int64_t before = memoryHeld();
  resetPeakMemory();
  const BenchClock begin = BenchClock::now();
  step.step(form);
  const BenchClock end = BenchClock::now();
  return {end.wall - begin.wall, end.cpu - begin.cpu, peakMemory() - before};
}

// Equal results first; then ours and every pair by turns.
Result<Json> againstFull(LongStep& step, std::int64_t pairs) {
  const double own = step.step(globalLocalBlocks), ownNorm = step.gradientNorm();
  const double full = step.step(globalLocalFull), fullNorm = step.gradientNorm();
  Json json = {{"loss", own}, {"full_loss", full}, {"grad_norm", ownNorm}, {"full_grad_norm", fullNorm}};
  const auto near = [](double a, double b) {
    return std::abs(a - b) <= kFormGap * std::max(std::abs(b), 1.0);
  };
  if (!near(own, full) || !near(ownNorm, fullNorm))
    return numericError("both forms compute something else, nothing was timed: " + json.dump());
  std::vector<double> ratios, cpuRatios, seconds, fullSeconds;
  std::int64_t bytes = 0, fullBytes = 0;
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    const LongMeasurement ours = measuredLong(step, globalLocalBlocks),
                          every = measuredLong(step, globalLocalFull);
    ratios.push_back(every.seconds / ours.seconds);
    cpuRatios.push_back(every.cpu / ours.cpu);
    seconds.push_back(ours.seconds);
    fullSeconds.push_back(every.seconds);
    bytes = std::max(bytes, ours.bytes);
    fullBytes = std::max(fullBytes, every.bytes);
  }
  json["seconds"] = median(seconds);
  json["full_seconds"] = median(fullSeconds);
  json["ratio"] = median(ratios);
  json["cpu_ratio"] = median(cpuRatios);
  json["bytes"] = bytes;
  json["full_bytes"] = fullBytes;
  json["memory_share"] =
      static_cast<double>(bytes) / static_cast<double>(std::max<std::int64_t>(fullBytes, 1));
  return json;
}

Result<Json> benchLength(const LongAttentionBench& bench, std::int64_t length, int threads) {
  LongStep step(bench, length);
  Json full;
  if (length <= bench.fullUpTo) {
    FATHOM_TRY(full, againstFull(step, bench.settings.pairs));
  }
  step.step(globalLocalBlocks);
  const std::int64_t bytes = measuredLong(step, globalLocalBlocks).bytes;
  PairBench pairs = pairBench("long-attention", "long_attention.py", bench.settings);
  pairs.step = [&] { step.stepOfStates(); };
  const Json config = {{"threads", threads},       {"length", length},     {"radius", bench.radius},
                       {"globals", bench.globals}, {"heads", bench.heads}, {"width", bench.width}};
  FATHOM_TRY(Json json,
             runPairBench(pairs, [&](const std::string& folder) { return writePeerConfig(folder, config); }));
  json["length"] = length;
  json["step_bytes"] = bytes;
  if (!full.is_null()) json["full"] = std::move(full);
  return json;
}

}  // namespace

Status benchLongAttention(const LongAttentionBench& bench) {
  const int threads = prepareNumerics(torch::kCPU, bench.settings.threads);
  if (bench.width % bench.heads != 0) return usageError("the width must be a multiple of the heads");
  for (std::int64_t length = bench.shortest; length <= bench.longest; length *= 2)
    FATHOM_CHECK(finishBench(benchLength(bench, length, threads), threads));
  return {};
}

}  // namespace fathom
