// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entropy_jsd.h"
#include "core/engine/bench/bench_entry.h"

namespace fathom {

namespace {

std::function<Status()> declareEntropyJsd(CLI::App& sub) {
  const auto said = std::make_shared<EntropyJsdBench>();
  sub.add_option("--layers", said->layers, "Layers")->check(CLI::Range(1, 1000));
  sub.add_option("--rows", said->rows, "Examples")->check(CLI::Range(1, 100000));
  sub.add_option("--heads", said->heads, "Heads")->check(CLI::Range(1, 1024));
  sub.add_option("--length", said->length, "Tokens")->check(CLI::Range(1, 100000));
  sub.add_option("--head-width", said->headWidth, "Width of a head")->check(CLI::Range(1, 4096));
  sub.add_option("--probe-rows", said->probeRows, "Examples of the whole probe on a whole model")
      ->check(CLI::Range(1, 1000));
  addBenchSettings(sub, said->settings);
  return [said] { return benchEntropyJsd(*said); };
}

}  // namespace

BenchEntry entropyJsdLineEntry() {
  return {.name = "entropy-jsd", .help = "Entropy and divergence of attention", .declare = declareEntropyJsd};
}

}  // namespace fathom
