// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// "&nbsp;", "<ref>text", "</td": what a parser of HTML left behind.
bool looksLikeMarkup(std::string_view word);

// Number of words between blanks that look like markup.
std::int64_t markupWords(std::string_view text);
std::int64_t markupWords(const std::vector<std::string>& texts);

}  // namespace fathom
