// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

struct TextLines {
  std::vector<std::string> lines;
  std::size_t carriageReturns = 0;  // lines ended by CR or CRLF
};

// Splits at LF, CRLF and CR, as Python's text mode does. No empty line after the last end.
TextLines splitTextLines(std::string_view text);
std::vector<std::string> splitTabs(std::string_view text);
// Runs of white space (line ends among them) become one blank; ends are stripped.
std::string oneLine(std::string_view text);

// UTF-8 with or without byte order mark, or UTF-16 with one; invalid bytes become U+FFFD. Says so in `notes`.
std::string decodeText(std::string_view bytes, std::vector<Phrase>& notes);

}  // namespace fathom
