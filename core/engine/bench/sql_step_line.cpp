// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_sql_decoder.h"

namespace fathom {

namespace {

std::function<Status()> declareSqlStep(CLI::App& sub) {
  const auto said = std::make_shared<SqlStepBench>();
  sub.add_option("--rows", said->rows, "Examples")->check(CLI::Range(1, 100000));
  sub.add_option("--dropout", said->dropout, "While timing")->check(CLI::Range(0.0, 0.9));
  addSqlSize(sub, said->size);
  addBenchSettings(sub, said->settings);
  return [said] { return benchSqlStep(*said); };
}

}  // namespace

BenchEntry sqlStepLineEntry() {
  return {
      .name = "sql-step", .help = "One training step of SQL-SP on kept states", .declare = declareSqlStep};
}

}  // namespace fathom
