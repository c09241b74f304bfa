// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_layers.h"

namespace fathom {

namespace {

std::function<Status()> declareBertStep(CLI::App& sub) {
  const auto said = std::make_shared<BertStepBench>();
  sub.add_option("--layers", said->layers, "Layers")->check(CLI::Range(1, 1000));
  sub.add_option("--width", said->width, "Width")->check(CLI::Range(8, 65536));
  sub.add_option("--heads", said->heads, "Heads")->check(CLI::Range(1, 1024));
  sub.add_option("--feed-forward", said->feedForward, "Feed-forward width")->check(CLI::Range(8, 1 << 20));
  sub.add_option("--rows", said->rows, "Examples")->check(CLI::Range(1, 100000));
  sub.add_option("--length", said->length, "Longest example, in tokens")->check(CLI::Range(4, 100000));
  sub.add_option("--groups", said->groups, "Groups by length")->check(CLI::Range(1, 4096));
  sub.add_option("--chain", said->chain, "Score chain")->check(CLI::IsMember({"none", "sum", "mean"}));
  addBenchSettings(sub, said->settings);
  return [said] { return benchBertStep(*said); };
}

}  // namespace

BenchEntry bertStepLineEntry() {
  return {.name = "bert-step",
          .help = "One masked-LM step of BERT with its optimiser",
          .declare = declareBertStep};
}

}  // namespace fathom
