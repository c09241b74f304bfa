// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/rewritten_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace fathom {

namespace {

constexpr std::string_view kErase = "\r\033[K";

// The code point that begins at `at`, and its bytes; a byte that begins none counts as one letter.
std::pair<std::uint32_t, std::size_t> letterAt(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  std::uint32_t point = bytes == 1 ? first : first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes && at + i < text.size(); ++i)
    point = point << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  return {point, std::min(bytes, text.size() - at)};
}

int widthOf(std::uint32_t point) {
  struct Range {
    std::uint32_t first, last;
  };
  static constexpr std::array<Range, 9> kWide = {{{0x1100, 0x115F},
                                                  {0x2E80, 0xA4CF},
                                                  {0xAC00, 0xD7A3},
                                                  {0xF900, 0xFAFF},
                                                  {0xFE30, 0xFE6F},
                                                  {0xFF00, 0xFF60},
                                                  {0xFFE0, 0xFFE6},
                                                  {0x1F300, 0x1FAFF},
                                                  {0x20000, 0x3FFFD}}};
  if ((point >= 0x300 && point <= 0x36F) || (point >= 0x200B && point <= 0x200F)) return 0;
  const bool wide = std::any_of(kWide.begin(), kWide.end(), [&](const Range& range) {
    return point >= range.first && point <= range.last;
  });
  return wide ? 2 : 1;
}

}  // namespace

TerminalShape terminalShape(int descriptor) {
  TerminalShape shape;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0) shape.columns = size.ws_col;
  const char* kind = std::getenv("TERM");
  shape.escapes = kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
  return shape;
}

int columnsOf(std::string_view text) {
  int columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [point, bytes] = letterAt(text, at);
    columns += widthOf(point);
    at += bytes;
  }
  return columns;
}

std::string fittedToColumns(std::string_view text, int columns) {
  if (columnsOf(text) <= columns) return std::string(text);
  int used = 1;  // "…"
  std::size_t end = 0;
  while (end < text.size()) {
    const auto [point, bytes] = letterAt(text, end);
    if (used + widthOf(point) > columns) break;
    used += widthOf(point);
    end += bytes;
  }
  return columns < 1 ? std::string() : std::string(text.substr(0, end)) + "…";
}

std::string RewrittenLine::show(std::string_view text, const TerminalShape& shape) {
  // The last column stays free: a letter there moves the cursor to the next line.
  const std::string fitted = shape.columns > 0 ? fittedToColumns(text, shape.columns - 1) : std::string(text);
  const std::string bytes = clear(shape) + fitted;
  m_columns = columnsOf(fitted);
  return bytes;
}

std::string RewrittenLine::clear(const TerminalShape& shape) {
  const int before = std::exchange(m_columns, 0);
  if (shape.escapes) return std::string(kErase);
  const int there = shape.columns > 0 ? std::min(before, shape.columns - 1) : before;
  return "\r" + std::string(static_cast<std::size_t>(std::max(there, 0)), ' ') + (there > 0 ? "\r" : "");
}

}  // namespace fathom
