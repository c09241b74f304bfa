// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text_table.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>

namespace fathom {

namespace {

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// A cell of a column of numbers, in front of its decimal point and from there on; nothing where it is none.
struct NumberCell {
  std::string whole, rest;
};

std::optional<NumberCell> numberCell(const std::string& text) {
  if (text.empty() || text == "-" || text == "–") return NumberCell{text, ""};
  std::size_t at = text[0] == '-' || text[0] == '+' ? 1 : 0;
  const auto digits = [&](bool groups) {
    const std::size_t from = at;
    while (at < text.size() &&
           (std::isdigit(static_cast<unsigned char>(text[at])) || (groups && text[at] == ',')))
      ++at;
    return at > from;
  };
  if (!digits(true)) return std::nullopt;
  const std::size_t end = at;
  if (at < text.size() && text[at] == '.' && !(++at, digits(false))) return std::nullopt;
  if (at < text.size() && text[at] == 'e') {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (!digits(false)) return std::nullopt;
  }
  const std::string unit = text.substr(at);
  if (!unit.empty() && unit != "%" && unit != " %") return std::nullopt;
  return NumberCell{text.substr(0, end), text.substr(end)};
}

void leftAlign(std::vector<std::vector<std::string>>& rows, std::size_t column) {
  std::size_t widest = 0;
  for (const auto& row : rows) widest = std::max(widest, width(row[column]));
  for (auto& row : rows) row[column].append(widest - width(row[column]), ' ');
}

// False: not a column of numbers.
bool alignNumbers(std::vector<std::vector<std::string>>& rows, std::size_t column) {
  std::vector<NumberCell> cells;
  std::size_t whole = 0, rest = 0;
  bool any = false;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto cell = numberCell(rows[i][column]);
    if (!cell) return false;
    any = any || std::isdigit(static_cast<unsigned char>(cell->whole.empty() ? 0 : cell->whole.back()));
    whole = std::max(whole, width(cell->whole));
    rest = std::max(rest, width(cell->rest));
    cells.push_back(*cell);
  }
  if (!any) return false;
  const std::size_t all = std::max(width(rows[0][column]), whole + rest);
  rows[0][column].insert(0, all - width(rows[0][column]), ' ');
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const NumberCell& cell = cells[i - 1];
    const std::string before(all - rest - width(cell.whole), ' ');
    rows[i][column] = before + cell.whole + cell.rest + std::string(rest - width(cell.rest), ' ');
  }
  return true;
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
  auto rows = m_rows;
  for (std::size_t column = 0; column < rows.front().size(); ++column)
    if (!alignNumbers(rows, column)) leftAlign(rows, column);
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (const std::string& cell : row) line += (&cell == &row.front() ? "" : "  ") + cell;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace fathom
