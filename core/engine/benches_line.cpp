// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_line.h"
#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

struct ChosenBench {
  BenchLine line;
  std::function<Status()> measure;
};

VerbAction declareBenches(CLI::App& sub) {
  const auto said = std::make_shared<ChosenBench>();
  sub.require_subcommand(1);
  said->line.addTo(sub, said->measure);
  return {[said] {
    const Status measured = said->measure();
    return measured.ok() ? ExitCode::Finished : reportError(measured.error());
  }};
}

}  // namespace

EngineVerb benchesLineEntry() {
  return {.name = "bench", .help = "Measures", .declare = declareBenches};
}

}  // namespace fathom
