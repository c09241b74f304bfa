// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_data_parallel.h"
#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_rank_updates.h"

namespace fathom {

namespace {

struct DataParallelSaid {
  RankUpdatesBench updates;
  bool trainings = false;
};

Status measureDataParallel(const DataParallelSaid& said) {
  const RankUpdatesBench& updates = said.updates;
  if (!said.trainings) return benchRankUpdates(updates);
  return benchDataParallel(
      {updates.preset, updates.assignments, updates.ranks, updates.updates, updates.rounds});
}

std::function<Status()> declareDataParallel(CLI::App& sub) {
  const auto said = std::make_shared<DataParallelSaid>();
  RankUpdatesBench& updates = said->updates;
  sub.add_option("--preset", updates.preset, "Preset with made data");
  sub.add_option("--set", updates.assignments, "An option of the preset, KEY=VALUE; repeatable");
  sub.add_option("--ranks", updates.ranks, "Processes of one thread")->check(CLI::Range(2, 64));
  sub.add_option("--updates", updates.updates, "Updates of one measurement")->check(CLI::Range(5, 1000000));
  sub.add_option("--rounds", updates.rounds, "One process, ranks and the peer by turns")
      ->check(CLI::Range(1, 1000));
  sub.add_flag("--trainings", said->trainings, "Whole trainings by fathom-engine instead, without a peer");
  sub.add_option("--peer", updates.peerScript, "Script of the peer");
  sub.add_option("--python", updates.python, "Python with the peer's packages");
  return [said] { return measureDataParallel(*said); };
}

}  // namespace

BenchEntry dataParallelLineEntry() {
  return {.name = "data-parallel",
          .help = "Several processes of one run, against one process and torch's DDP",
          .declare = declareDataParallel};
}

}  // namespace fathom
