// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/spider/grammar/action_sequence.h"

namespace fathom {

// A whole derivation, another for every seed: anything valid for `free` steps, then what ends soonest. For
// benches and tests.
std::vector<GrammarAction> randomDerivation(std::uint64_t seed, int columns, int free);

}  // namespace fathom
