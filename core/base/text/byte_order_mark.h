// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fathom {

// Mark that editors of other systems put before a text in UTF-8; no part of the text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr std::string_view withoutByteOrderMark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

}  // namespace fathom
