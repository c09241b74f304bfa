// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string_view>

namespace fathom {

// Whether this processor runs our vector code (AVX2 and FMA). FATHOM_LANES=off takes the plain operations all
// the same: the numbers of a processor that has neither.
inline bool vectorLanesRun() {
#if defined(__x86_64__)
  static const bool runs = [] {
    const char* wish = std::getenv("FATHOM_LANES");
    if (wish != nullptr && std::string_view(wish) == "off") return false;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }();
  return runs;
#else
  return false;
#endif
}

}  // namespace fathom
