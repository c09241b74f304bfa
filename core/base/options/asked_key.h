// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace fathom {

constexpr char smallLetter(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// With ASCII letters small; others stay as they are.
inline std::string smallLetters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(), smallLetter);
  return small;
}

// True if the text is `lower`, which has small ASCII letters.
inline bool isSameText(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(),
                                                   [](char a, char b) { return smallLetter(a) == b; });
}

// True if the key is the name (whole), or ends with it after '.' or '/': "layers" asks for "model.layers".
// `lower` is the name with small ASCII letters.
inline bool isAskedFor(std::string_view key, std::string_view lower, bool whole) {
  if (lower.empty() || key.size() < lower.size() || smallLetter(key.back()) != lower.back()) return false;
  if (whole) return isSameText(key, lower);
  const std::size_t before = key.size() - lower.size();
  const bool part = before > 0 && (key[before - 1] == '.' || key[before - 1] == '/');
  return part && isSameText(key.substr(before), lower);
}

}  // namespace fathom
