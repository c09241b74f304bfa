// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/engine/bench/bench_pairs.h"

namespace fathom {

// One entry of benches.list.
struct BenchEntry {
  std::string name;
  std::string help;
  // Adds the bench's options to `sub`; what is returned keeps what the line says, and measures.
  std::function<std::function<Status()>(CLI::App& sub)> declare;
};
const std::vector<BenchEntry>& benchEntries();

// Parts that several benches declare.
void addBenchSettings(CLI::App& sub, BenchSettings& settings);
void addSqlSize(CLI::App& sub, std::string& size);
void addReference(CLI::App& sub, std::string& folder);

}  // namespace fathom
