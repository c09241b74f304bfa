// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_entropy_jsd.h"

#include <torch/types.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <vector>

#include "core/engine/bench/bench_layers.h"
#include "core/init/initialisation.h"
#include "core/nn/models/bert.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/probe/attention_probe.h"
#include "core/probe/attention_rows.h"
#include "core/train/parts/compute_device.h"

namespace fathom {

namespace {

constexpr double kGap = 1e-5;

std::int64_t residentMemory() {
  std::ifstream file("/proc/self/statm");
  std::int64_t whole = 0, resident = 0;
  file >> whole >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

torch::Tensor normal(const EntropyJsdBench& bench, std::uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
  generator.set_current_seed(seed);
  return at::randn({bench.layers, bench.rows, bench.heads, bench.length, bench.headWidth}, generator,
                   torch::kFloat32);
}

// Means over all rows of all layers, and over those with a layer below.
struct RowMeans {
  double entropyNats = 0, jsdBits = 0;
};

RowMeans rowMeans(const EntropyJsdBench& bench, const std::vector<ScoredLayer>& layers) {
  std::vector<RowMeans> sums(static_cast<std::size_t>(bench.heads));  // a head is one thread's
  streamAttention(layers, [&](const AttentionRowBlock& block) {
    RowMeans& sum = sums[static_cast<std::size_t>(block.head)];
    for (std::int64_t i = 0; i < block.sequences * block.queries; ++i) {
      sum.entropyNats += block.entropies[i];
      if (block.divergences != nullptr) sum.jsdBits += block.divergences[i];
    }
  });
  RowMeans mean;
  for (const RowMeans& sum : sums) {
    mean.entropyNats += sum.entropyNats;
    mean.jsdBits += sum.jsdBits;
  }
  const auto all = static_cast<double>(bench.rows * bench.heads * bench.length);
  mean.entropyNats /= all * static_cast<double>(bench.layers);
  mean.jsdBits /= all * static_cast<double>(std::max<std::int64_t>(bench.layers - 1, 1));
  return mean;
}

struct Measured {
  double seconds = 0;
  std::int64_t peak = 0;
};

// After one pass that is not counted.
Measured measured(const std::function<void()>& work) {
  work();
  resetPeakMemory();
  const double begin = BenchClock::now().wall;
  work();
  return {BenchClock::now().wall - begin, peakMemory()};
}

// The probe as the product runs it, over a plain forward of the same model on the same batch.
Json wholeProbe(const EntropyJsdBench& bench) {
  constexpr std::int64_t kVocabulary = 30522;
  const std::int64_t width = bench.heads * bench.headWidth;
  const OptionValues options = benchModelOptions({{"model", "bert"},
                                                  {"init", "bert"},
                                                  {"model.width", width},
                                                  {"model.heads", bench.heads},
                                                  {"model.feed_forward", 4 * width},
                                                  {"model.dropout", 0.0},
                                                  {"encoder.layers", bench.layers},
                                                  {kBertPrefix + ".head", "masked_words"},
                                                  {kBertPrefix + ".max_positions", bench.length}});
  const ModelInputs inputs{{"vocabulary", kVocabulary}, {"pad_id", 0}};
  Bert model(bertConfiguration(options, inputs), options, torch::TensorOptions(torch::kFloat32));
  initialiseModel(model, options, 1).value();
  at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
  generator.set_current_seed(13);
  const TextBatch batch{
      at::randint(5, kVocabulary, {bench.probeRows, bench.length}, generator, torch::kInt64), {}, {}};
  const ForwardPass forward = [&](const StepContext& context) {
    const torch::NoGradGuard noGradients;
    model.hidden(batch, context);
  };
  const Measured plain = measured([&] { forward({}); });
  AttentionProbe probe(bench.length);
  const Measured probed = measured([&] { probe.run(forward, {}); });
  return {{"rows", bench.probeRows},
          {"forward_seconds", plain.seconds},
          {"probe_seconds", probed.seconds},
          {"forward_peak_bytes", plain.peak},
          {"probe_peak_bytes", probed.peak},
          {"memory_over_forward", static_cast<double>(probed.peak) / static_cast<double>(plain.peak)}};
}

std::vector<ScoredLayer> layersOf(const torch::Tensor& queries, const torch::Tensor& keys) {
  std::vector<ScoredLayer> layers;
  const double scale = 1 / std::sqrt(static_cast<double>(queries.size(-1)));
  for (std::int64_t layer = 0; layer < queries.size(0); ++layer)
    layers.push_back({queries[layer], keys[layer], {}, scale});
  return layers;
}

}  // namespace

Status benchEntropyJsd(const EntropyJsdBench& bench) {
  const int threads = prepareNumerics(torch::kCPU, bench.settings.threads);
  const Json whole = wholeProbe(bench);
  const torch::Tensor queries = normal(bench, 11), keys = normal(bench, 12);
  const std::vector<ScoredLayer> layers = layersOf(queries, keys);
  RowMeans means;
  PairBench pairs = pairBench("entropy-jsd", "entropy_jsd.py", bench.settings);
  pairs.step = [&] { means = rowMeans(bench, layers); };
  pairs.step();
  pairs.check = {{"entropy", means.entropyNats, kGap}, {"jsd", means.jsdBits, kGap}};
  resetPeakMemory();
  const std::int64_t before = residentMemory();
  pairs.step();
  const std::int64_t extra = std::max<std::int64_t>(peakMemory() - before, 0);
  Result<Json> result = runPairBench(pairs, [&](const std::string& folder) -> Status {
    FATHOM_TRY(const std::string hash,
               writeTensors(folder + "/inputs.safetensors", {{"queries", queries}, {"keys", keys}}));
    return writePeerConfig(folder, Json({{"threads", threads}}));
  });
  if (result.ok()) {
    Json& json = *result;
    json["probe"] = whole;
    json["extra_bytes"] = extra;
    if (json.contains("peer_peak_bytes")) {
      json["peer_extra_bytes"] = json["peer_peak_bytes"];
      json.erase("peer_peak_bytes");
      json["memory_ratio"] = static_cast<double>(extra) / json["peer_extra_bytes"].get<double>();
    }
  }
  return finishBench(result, threads);
}

}  // namespace fathom
