// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/number_text.h"

#include <cstdio>
#include <iterator>

#include <locale.h>

namespace fathom {

namespace {

// While it lives, printf of this thread writes decimal points, whatever the language of the desktop.
class PlainNumbers {
 public:
  PlainNumbers() : m_before(uselocale(plain())) {}
  ~PlainNumbers() { uselocale(m_before); }
  PlainNumbers(const PlainNumbers&) = delete;
  PlainNumbers& operator=(const PlainNumbers&) = delete;

 private:
  static locale_t plain() {
    static const locale_t locale = newlocale(LC_ALL_MASK, "C", locale_t{});
    return locale;
  }
  locale_t m_before;
};

}  // namespace

std::string shortestText(double value) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string formatted(const char* format, double value) {
  char text[400];
  const PlainNumbers plain;
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string paddedText(std::int64_t number, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%0*lld", digits, static_cast<long long>(number));
  return text;
}

std::string byteText(double bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  return formatted(bytes < 9.95 && unit > 2 ? "%.1f " : "%.0f ", bytes) + kUnits[unit];
}

std::string countText(double count) {
  constexpr const char* kUnits[] = {"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  while (count >= 999.5 && unit + 1 < std::size(kUnits)) {
    count /= 1000;
    ++unit;
  }
  return formatted(count < 99.95 && unit > 0 ? "%.1f" : "%.0f", count) + kUnits[unit];
}

}  // namespace fathom
