// SPDX-License-Identifier: Apache-2.0
// A bench that a test adds: it measures nothing.
#include <iostream>

#include "core/engine/bench/bench_entry.h"

namespace fathom {

BenchEntry nothingLineEntry() {
  return {.name = "nothing", .help = "Nothing", .declare = [](CLI::App&) -> std::function<Status()> {
            return [] {
              std::cout << "0 s\n";
              return Status();
            };
          }};
}

}  // namespace fathom
