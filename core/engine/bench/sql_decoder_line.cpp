// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_sql_decoder.h"

namespace fathom {

namespace {

std::function<Status()> declareSqlDecoder(CLI::App& sub) {
  const auto said = std::make_shared<SqlDecoderBench>();
  sub.add_option("--rows", said->rows, "Examples")->check(CLI::Range(1, 100000));
  sub.add_option("--length", said->length, "Tokens, columns and tables of an example")
      ->check(CLI::Range(8, 100000));
  sub.add_option("--columns", said->columns, "Columns of an example")->check(CLI::Range(2, 100000));
  sub.add_option("--actions", said->actions, "Actions of an example")->check(CLI::Range(10, 1000));
  sub.add_flag("--spread", said->spread, "Sizes spread as Spider's are");
  addSqlSize(sub, said->size);
  addReference(sub, said->reference);
  addBenchSettings(sub, said->settings);
  return [said] { return benchSqlDecoder(*said); };
}

}  // namespace

BenchEntry sqlDecoderLineEntry() {
  return {
      .name = "sql-decoder", .help = "Loss and gradients of SQL-SP's decoder", .declare = declareSqlDecoder};
}

}  // namespace fathom
