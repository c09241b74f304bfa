// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_nmt_step.h"

namespace fathom {

namespace {

std::function<Status()> declareNmtStep(CLI::App& sub) {
  const auto said = std::make_shared<NmtStepBench>();
  sub.add_option("--layers", said->layers, "Layers of encoder and decoder")->check(CLI::Range(1, 1000));
  sub.add_option("--width", said->width, "Model width")->check(CLI::Range(8, 65536));
  sub.add_option("--feed-forward", said->feedForward, "Feed-forward width")->check(CLI::Range(8, 1 << 20));
  sub.add_option("--heads", said->heads, "Heads")->check(CLI::Range(1, 1024));
  sub.add_option("--tokens", said->tokens, "Padded tokens of a batch")->check(CLI::Range(1, 1 << 24));
  sub.add_option("--vocabulary", said->vocabulary, "Pieces")->check(CLI::Range(8, 1 << 24));
  addBenchSettings(sub, said->settings);
  return [said] { return benchNmtStep(*said); };
}

}  // namespace

BenchEntry nmtStepLineEntry() {
  return {.name = "nmt-step", .help = "One training step of a translation model", .declare = declareNmtStep};
}

}  // namespace fathom
