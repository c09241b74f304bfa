// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fathom {

// The number that the whole text is, without white space or a plus sign; none if it is anything else or does
// not fit.
template <typename Number>
std::optional<Number> numberFrom(std::string_view text) {
  Number number{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// As short as reads back to the same number.
std::string shortestText(double value);
// printf's "%.4g" and the like, of one number.
std::string formatted(const char* format, double value);
// With leading zeros: "0007".
std::string paddedText(std::int64_t number, int digits);

}  // namespace fathom
