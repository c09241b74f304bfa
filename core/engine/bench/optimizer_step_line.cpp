// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_layers.h"

namespace fathom {

namespace {

std::function<Status()> declareOptimizerStep(CLI::App& sub) {
  const auto said = std::make_shared<OptimizerStepBench>();
  sub.add_option("--tensors", said->tensors, "Tensors")->check(CLI::Range(2, 100000));
  sub.add_option("--elements", said->elements, "Elements of all tensors")
      ->check(CLI::Range(std::int64_t{1} << 16, std::int64_t{1} << 34));
  addBenchSettings(sub, said->settings);
  return [said] { return benchOptimizerStep(*said); };
}

}  // namespace

BenchEntry optimizerStepLineEntry() {
  return {.name = "optimizer-step", .help = "Clipping and one Adam update", .declare = declareOptimizerStep};
}

}  // namespace fathom
