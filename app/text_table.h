// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fathom {

// Columns for a terminal: left-aligned, two spaces between, as wide as their widest cell (counted in code
// points of UTF-8); the last column is not padded.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head);
  void addRow(std::vector<std::string> cells);
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> m_rows;
};

}  // namespace fathom
