// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/shown_value.h"

namespace fathom {

std::string shownValue(std::string_view value) {
  constexpr std::size_t kShownBytes = 60;
  if (value.size() <= kShownBytes) return std::string(value);
  std::size_t end = kShownBytes;
  while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0U) == 0x80U) --end;
  return std::string(value.substr(0, end)) + "…";
}

}  // namespace fathom
