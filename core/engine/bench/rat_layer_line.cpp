// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_layers.h"

namespace fathom {

namespace {

std::function<Status()> declareRatLayer(CLI::App& sub) {
  const auto said = std::make_shared<RatLayerBench>();
  sub.add_option("--layers", said->layers, "Layers")->check(CLI::Range(1, 1000));
  sub.add_option("--rows", said->rows, "Examples")->check(CLI::Range(1, 100000));
  sub.add_option("--length", said->length, "Longest example, in tokens")->check(CLI::Range(4, 100000));
  sub.add_flag("--spread", said->spread, "Lengths spread down to a fifth, with padding");
  addBenchSettings(sub, said->settings);
  return [said] { return benchRatLayer(*said); };
}

}  // namespace

BenchEntry ratLayerLineEntry() {
  return {
      .name = "rat-layer", .help = "Relation-aware layers, forward and backward", .declare = declareRatLayer};
}

}  // namespace fathom
