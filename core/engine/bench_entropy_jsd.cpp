// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench_entropy_jsd.h"

#include <torch/types.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "core/base/atomic_file.h"
#include "core/probe/attention_rows.h"
#include "core/train/compute_device.h"
#include "core/train/tensor_file.h"

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

}  // namespace

ExitCode benchEntropyJsd(const EntropyJsdBench& bench) {
  const int threads = prepareNumerics(torch::kCPU, bench.settings.threads);
  const torch::Tensor queries = normal(bench, 11), keys = normal(bench, 12);
  StreamedMeans means;
  PairBench pairs = pairBench("entropy-jsd", "entropy_jsd.py", bench.settings);
  pairs.step = [&] { means = streamAttention(queries, keys); };
  pairs.step();
  pairs.check = {{"entropy", means.entropyNats, kGap}, {"jsd", means.jsdBits, kGap}};
  resetPeakMemory();
  const std::int64_t before = residentMemory();
  pairs.step();
  const std::int64_t extra = std::max<std::int64_t>(peakMemory() - before, 0);
  Result<Json> result = runPairBench(pairs, [&](const std::string& folder) -> Status {
    FATHOM_TRY(const std::string hash,
               writeTensors(folder + "/inputs.safetensors", {{"queries", queries}, {"keys", keys}}));
    return writeFileAtomically(folder + "/config.json", Json({{"threads", threads}}).dump());
  });
  if (result.ok()) {
    Json& json = *result;
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
