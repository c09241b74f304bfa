// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace fathom {

// GPT-2's pattern (Radford §2.2) as its code writes it.
inline constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// End of its match at `at`, which is before the end of the text.
std::size_t gpt2PieceEnd(std::string_view text, std::size_t at);

}  // namespace fathom
