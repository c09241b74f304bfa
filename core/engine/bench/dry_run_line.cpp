// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_dry_run.h"
#include "core/engine/bench/bench_entry.h"

namespace fathom {

namespace {

std::function<Status()> declareDryRun(CLI::App& sub) {
  const auto said = std::make_shared<DryRunBench>();
  sub.add_option("--preset", said->presets, "Presets with made data");
  sub.add_option("--updates", said->updates, "Updates of each training")->check(CLI::Range(20, 1000000));
  sub.add_option("--seconds", said->seconds, "The dry run times updates for so long")
      ->check(CLI::Range(0.1, 600.0));
  sub.add_option("--tolerance", said->tolerance, "Share by which they may differ")
      ->check(CLI::Range(0.01, 10.0));
  sub.add_option("--threads", said->threads, "Threads, 0 = all cores")->check(CLI::NonNegativeNumber);
  return [said] { return benchDryRun(*said); };
}

}  // namespace

BenchEntry dryRunLineEntry() {
  return {.name = "dry-run", .help = "Time that a dry run says, against trainings", .declare = declareDryRun};
}

}  // namespace fathom
