// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_sql_decoder.h"

namespace fathom {

namespace {

std::function<Status()> declareGrammarBeam(CLI::App& sub) {
  const auto said = std::make_shared<GrammarBeamBench>();
  sub.add_option("--examples", said->examples, "Examples")->check(CLI::Range(1, 1 << 20));
  sub.add_option("--batch", said->batch, "Examples searched at once")->check(CLI::Range(1, 1 << 20));
  sub.add_option("--beam", said->beam, "Hypotheses kept")->check(CLI::Range(1, 1000));
  sub.add_option("--max-steps", said->maxSteps, "Actions after which a search ends")
      ->check(CLI::Range(1, 10000));
  sub.add_option("--run", said->run, "Run of sql_sp: its weights, its validation");
  addSqlSize(sub, said->size);
  addReference(sub, said->reference);
  addBenchSettings(sub, said->settings);
  return [said] { return benchGrammarBeam(*said); };
}

}  // namespace

BenchEntry grammarBeamLineEntry() {
  return {.name = "grammar-beam", .help = "Search over the grammar of SQL", .declare = declareGrammarBeam};
}

}  // namespace fathom
