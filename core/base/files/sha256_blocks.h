// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fathom {

using Sha256State = std::array<std::uint32_t, 8>;

// Takes `count` blocks of 64 bytes into the state.
using Sha256Blocks = void (*)(Sha256State& state, const unsigned char* bytes, std::size_t count);
void portableSha256Blocks(Sha256State& state, const unsigned char* bytes, std::size_t count);
// With the instructions that this processor has for it, several times as fast; null where it has none.
Sha256Blocks ownSha256Blocks();

}  // namespace fathom
