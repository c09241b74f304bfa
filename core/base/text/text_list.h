// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// "a, b, c". With `textOf`, of anything.
template <typename Range, typename TextOf>
std::string joined(const Range& items, std::string_view between, const TextOf& textOf) {
  std::string text;
  bool first = true;
  for (const auto& item : items) {
    if (!first) text += between;
    first = false;
    text += textOf(item);
  }
  return text;
}
template <typename Range>
std::string joined(const Range& texts, std::string_view between = ", ") {
  return joined(texts, between, [](std::string_view text) { return text; });
}

// The parts between the separators; one more than there are separators.
std::vector<std::string_view> splitAt(std::string_view text, char separator);
// Without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);
void replaceAll(std::string& text, std::string_view from, std::string_view to);
// Text before the first `separator`, which is taken off `rest` with it; all of it where there is none.
std::string_view takeUntil(std::string_view& rest, char separator);

}  // namespace fathom
