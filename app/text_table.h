// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// Names and messages come from files and people: characters that a terminal would obey (colours, titles,
// moves of the cursor) become U+FFFD. Line ends and tabulators stay.
std::string terminalText(std::string_view text);

// A p-value: "0.012", below a thousandth "3.1e-05".
std::string probabilityText(double p, int decimals);

// Columns for a terminal: two spaces between, as wide as their widest cell (counted in code points of UTF-8),
// without blanks at the end of a line. A column of numbers alone (with %; "-" is none) is right-aligned,
// decimal points below each other; others are left-aligned. Cells are shown as terminalText, on one line.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head);
  void addRow(std::vector<std::string> cells);
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> m_rows;
};

}  // namespace fathom
