// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_data_parallel.h"
#include "core/engine/bench/bench_entry.h"

namespace fathom {

namespace {

std::function<Status()> declareDataParallel(CLI::App& sub) {
  const auto said = std::make_shared<DataParallelBench>();
  sub.add_option("--preset", said->preset, "Preset with made data");
  sub.add_option("--set", said->assignments, "An option of the preset, KEY=VALUE; repeatable");
  sub.add_option("--ranks", said->ranks, "Processes of one thread")->check(CLI::Range(2, 64));
  sub.add_option("--updates", said->updates, "Updates that are measured")->check(CLI::Range(5, 1000000));
  sub.add_option("--rounds", said->rounds, "One process and ranks by turns")->check(CLI::Range(1, 1000));
  return [said] { return benchDataParallel(*said); };
}

}  // namespace

BenchEntry dataParallelLineEntry() {
  return {.name = "data-parallel",
          .help = "Several processes of one run, against one process",
          .declare = declareDataParallel};
}

}  // namespace fathom
