// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace fathom {

// Takes the first line off `text` and gives it without its end; false where `text` holds no end of a line.
inline bool takeWholeLine(std::string_view& text, std::string_view& line) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return false;
  line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return true;
}

// The lines of a text in memory, which outlives them. What stands behind the last end is a line unless it is
// empty. A carriage return belongs to its line.
class LinesOf {
 public:
  explicit LinesOf(std::string_view text) : m_rest(text) {}
  bool next(std::string_view& line) {
    if (m_rest.empty()) return false;
    if (!takeWholeLine(m_rest, line)) {
      line = m_rest;
      m_rest = {};
    }
    ++m_number;
    return true;
  }
  // Number of the line given last, from 1.
  std::int64_t number() const { return m_number; }

 private:
  std::string_view m_rest;
  std::int64_t m_number = 0;
};

}  // namespace fathom
