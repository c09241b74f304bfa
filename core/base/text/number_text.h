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
// "38 MB", "1.4 GB": powers of 1000, as disks are sold and df -H counts.
std::string byteText(double bytes);
// "950", "12.3 k", "4.1 M", "1.2 G".
std::string countText(double count);

}  // namespace fathom
