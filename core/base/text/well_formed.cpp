// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/well_formed.h"

#include "core/base/text/utf8.h"

namespace fathom {

std::string wellFormedUtf8(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t bad = firstInvalidUtf8(text);
    out += text.substr(0, bad);
    if (bad == std::string_view::npos) return out;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(bad + 1);
  }
}

}  // namespace fathom
