// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_entry.h"
#include "core/engine/engine_line.h"
#include "core/engine/engine_process.h"
#include "core/engine/engine_verbs.h"

namespace {

// A bench is a verb of this program.
fathom::EngineVerb verbOf(const fathom::BenchEntry& bench) {
  return {.name = bench.name, .help = bench.help, .declare = [&bench](CLI::App& sub) -> fathom::VerbAction {
            return {[measure = bench.declare(sub)] {
              const fathom::Status measured = measure();
              return measured.ok() ? fathom::ExitCode::Finished : fathom::reportError(measured.error());
            }};
          }};
}

}  // namespace

int main(int argc, char** argv) {
  fathom::beginEngineProcess();
  std::vector<fathom::EngineVerb> verbs;
  for (const fathom::BenchEntry& bench : fathom::benchEntries()) verbs.push_back(verbOf(bench));
  fathom::endEngineProcess(
      fathom::runVerbs("fathom-bench", "The engine's half of fathom-bench.", verbs, argc, argv));
}
