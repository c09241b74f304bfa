// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/shell_word.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace fathom {

std::string shellWord(const std::string& word) {
  constexpr std::string_view kHarmless = "@%+=:,./_-";
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [&](unsigned char letter) {
    return std::isalnum(letter) != 0 || kHarmless.find(static_cast<char>(letter)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

}  // namespace fathom
