// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_fine_tune_step.h"

namespace fathom {

namespace {

std::function<Status()> declareFineTuneStep(CLI::App& sub) {
  const auto said = std::make_shared<FineTuneStepBench>();
  sub.add_option("--preset", said->preset, "Id of a preset of glue, squad or reclor on bert");
  sub.add_option("--set", said->assignments, "Data, vocabulary, weights and other options: key=value")
      ->allow_extra_args(false);
  sub.add_option("--updates", said->updates, "Updates whose losses are compared")
      ->check(CLI::Range(1, 10000));
  addBenchSettings(sub, said->settings);
  return [said] { return benchFineTuneStep(*said); };
}

}  // namespace

BenchEntry fineTuneStepLineEntry() {
  return {.name = "fine-tune-step", .help = "Updates of a fine-tuning run", .declare = declareFineTuneStep};
}

}  // namespace fathom
