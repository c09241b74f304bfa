// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace fathom {

// Takes bytes into a sum of CRC-32C, which begins and ends inverted.
using Crc32cBytes = std::uint32_t (*)(std::uint32_t sum, std::string_view bytes);
std::uint32_t portableCrc32cBytes(std::uint32_t sum, std::string_view bytes);
// With the instruction that this processor has for it, several times as fast; null where it has none.
Crc32cBytes ownCrc32cBytes();

}  // namespace fathom
