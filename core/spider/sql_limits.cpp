// SPDX-License-Identifier: Apache-2.0
#include "core/spider/sql_limits.h"

namespace fathom {

namespace {

constexpr std::size_t kMostListed = 400;  // bytes of a list
constexpr std::size_t kMostPart = 120;    // bytes of one entry

}  // namespace

void SqlSteps::spend(std::size_t steps) {
  if (steps > m_left)
    throw SqlTooLarge{"its names stand for more than " + std::to_string(kMaxSqlSteps) + " parts"};
  m_left -= steps;
}

std::string clippedText(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

void ClippedList::add(std::string_view part) {
  if (m_text.size() >= kMostListed) {
    ++m_more;
    return;
  }
  if (m_parts++ > 0) m_text += m_between;
  m_text += clippedText(part, kMostPart);
}

std::string ClippedList::text() const {
  return m_more == 0 ? m_text : m_text + m_between + "… (+" + std::to_string(m_more) + ")";
}

}  // namespace fathom
