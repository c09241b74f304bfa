// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/number_text.h"

#include <cstdio>

namespace fathom {

std::string shortestText(double value) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string formatted(const char* format, double value) {
  char text[400];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string paddedText(std::int64_t number, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%0*lld", digits, static_cast<long long>(number));
  return text;
}

}  // namespace fathom
