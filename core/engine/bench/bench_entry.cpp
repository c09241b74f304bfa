// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_entry.h"

namespace fathom {

void addBenchSettings(CLI::App& sub, BenchSettings& settings) {
  sub.add_option("--pairs", settings.pairs, "A-B pairs")->check(CLI::Range(1, 1000));
  sub.add_option("--steps", settings.steps, "Steps of one measurement")->check(CLI::Range(1, 100000));
  sub.add_option("--threads", settings.threads, "Threads, 0 = all cores")->check(CLI::NonNegativeNumber);
  sub.add_option("--peer", settings.peerScript, "Script of the peer");
  sub.add_option("--python", settings.python, "Python with the peer's packages");
}

void addSqlSize(CLI::App& sub, std::string& size) {
  sub.add_option("--size", size, "Sizes of the presets sql_sp_paper or sql_sp_cpu")
      ->check(CLI::IsMember({"paper", "cpu"}));
}

void addReference(CLI::App& sub, std::string& folder) {
  sub.add_option("--reference", folder, "Folder with DT-Fixup's code, whose decoder is then the peer");
}

}  // namespace fathom
