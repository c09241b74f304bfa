// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareBenches(CLI::App& sub) {
  const auto measure = std::make_shared<std::function<Status()>>();
  sub.require_subcommand(1);
  for (const BenchEntry& bench : benchEntries()) {
    CLI::App* one = sub.add_subcommand(bench.name, bench.help);
    one->callback([measure, declared = bench.declare(*one)] { *measure = declared; });
  }
  return {[measure] {
    const Status measured = (*measure)();
    return measured.ok() ? ExitCode::Finished : reportError(measured.error());
  }};
}

}  // namespace

EngineVerb benchesLineEntry() {
  return {.name = "bench", .help = "Measures", .declare = declareBenches};
}

}  // namespace fathom
