// SPDX-License-Identifier: Apache-2.0
// Entry point for libFuzzer; FATHOM_FUZZ_TARGET in the environment names the target.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fuzz/support_fuzz_targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fathom::FuzzTarget* const target = [] {
    const char* name = std::getenv("FATHOM_FUZZ_TARGET");
    int count = 0;
    const fathom::FuzzTarget* all = fathom::fuzzTargets(count);
    for (int i = 0; i < count; ++i) {
      if (name != nullptr && std::strcmp(all[i].name, name) == 0) return all + i;
    }
    std::fprintf(stderr, "set FATHOM_FUZZ_TARGET to one of the folders of tests/fuzz/corpus\n");
    std::exit(2);
  }();
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
