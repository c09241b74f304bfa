// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text_table.h"

#include <algorithm>
#include <cstdio>

namespace fathom {

namespace {

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// One cell is one line.
std::string cellText(const std::string& text) {
  std::string line = terminalText(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::replace(line.begin(), line.end(), '\t', ' ');
  return line;
}

}  // namespace

std::string probabilityText(double p, int decimals) {
  constexpr double kSmall = 1e-3;
  char text[32];
  if (p > 0 && p < kSmall)
    std::snprintf(text, sizeof text, "%.1e", p);
  else
    std::snprintf(text, sizeof text, "%.*f", decimals, p);
  return text;
}

std::string terminalText(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F, two bytes in UTF-8: the second half of the commands.
    const bool upper = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (upper || byte == 0x7F || (byte < 0x20 && byte != '\n' && byte != '\t')) {
      shown += kReplacement;
      i += upper;
    } else {
      shown += text[i];
    }
  }
  return shown;
}

TextTable::TextTable(std::vector<std::string> head) {
  for (std::string& cell : head) cell = cellText(cell);
  m_rows.push_back(std::move(head));
}

void TextTable::addRow(std::vector<std::string> cells) {
  cells.resize(m_rows.front().size());
  for (std::string& cell : cells) cell = cellText(cell);
  m_rows.push_back(std::move(cells));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(m_rows.front().size(), 0);
  for (const auto& row : m_rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : m_rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - width(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace fathom
