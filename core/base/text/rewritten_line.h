// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fathom {

// Abilities of a terminal.
struct TerminalShape {
  int columns = 0;      // 0 = unknown: nothing is cut
  bool escapes = true;  // false for TERM=dumb, and where there is no TERM
};
TerminalShape terminalShape(int descriptor);

// The beginning of a text of UTF-8 that fits into so many columns, with "…" where something is left out;
// letters of East Asian scripts take two columns, combining marks none.
std::string fittedToColumns(std::string_view text, int columns);
int columnsOf(std::string_view text);

// The line at the end of a terminal that is written anew again and again: bytes that put a text in place of
// what stands there, or nothing. A line that reached the edge would break, and its first part would stay.
class RewrittenLine {
 public:
  std::string show(std::string_view text, const TerminalShape& shape);
  std::string clear(const TerminalShape& shape);

 private:
  int m_columns = 0;  // what stands there
};

}  // namespace fathom
