// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace fathom {

// One target per parser of foreign bytes. A target takes any bytes, must return, and aborts when what the
// parser says contradicts itself (two readers of one file disagree, a value does not survive its round trip).
struct FuzzTarget {
  const char* name;  // = folder in corpus/
  void (*run)(std::string_view bytes);
  std::size_t megabytes = 64;  // the most one input may take at once, whatever it says
};

// All of them.
const FuzzTarget* fuzzTargets(int& count);

}  // namespace fathom
