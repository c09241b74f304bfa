// SPDX-License-Identifier: Apache-2.0
#include "core/base/json/json_line.h"

#include <algorithm>

#include "core/base/json/json.h"

namespace fathom {

namespace {

// Walks over JSON that is known to be sound.
class JsonWalk {
 public:
  explicit JsonWalk(std::string_view text) : m_text(text) {}

  // From a value to one of its members.
  bool into(const JsonStep& step) {
    toNext();
    const bool object = std::holds_alternative<std::string_view>(step);
    if (peek() != (object ? '{' : '[')) return false;
    ++m_at;
    for (std::size_t member = 0;; ++member) {
      toNext();
      if (m_at >= m_text.size() || peek() == '}' || peek() == ']') return false;
      if (object) {
        const std::size_t key = m_at;
        passText();
        const bool found = isText(m_text.substr(key, m_at - key), std::get<std::string_view>(step));
        toNext();
        if (found) return true;
      } else if (member == std::get<std::size_t>(step)) {
        return true;
      }
      passValue();
    }
  }
  std::int64_t line() {
    toNext();
    const auto end = m_text.begin() + static_cast<std::ptrdiff_t>(std::min(m_at, m_text.size()));
    return 1 + std::count(m_text.begin(), end, '\n');
  }

 private:
  char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
  // Over blanks and what separates values, a byte order mark too.
  void toNext() {
    constexpr std::string_view kBetween = " \t\r\n,:\xEF\xBB\xBF";
    m_at = std::min(m_text.find_first_not_of(kBetween, m_at), m_text.size());
  }
  static bool isText(std::string_view quoted, std::string_view text) {
    if (quoted.find('\\') == std::string_view::npos) return quoted.substr(1, quoted.size() - 2) == text;
    const auto parsed = parseJson(quoted);
    return parsed.ok() && parsed->get<std::string>() == text;
  }
  void passText() {
    for (++m_at; m_at < m_text.size() && m_text[m_at] != '"'; ++m_at)
      if (m_text[m_at] == '\\') ++m_at;
    ++m_at;
  }
  void passValue() {
    int depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        passText();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++m_at;
    } while (m_at < m_text.size() && (depth > 0 || !endsValue(peek())));
  }
  static bool endsValue(char c) { return c == ',' || c == '}' || c == ']'; }

  std::string_view m_text;
  std::size_t m_at = 0;
};

}  // namespace

std::int64_t lineOfJson(std::string_view text, std::span<const JsonStep> path) {
  JsonWalk walk(text);
  for (const JsonStep& step : path)
    if (!walk.into(step)) return 0;
  return walk.line();
}

}  // namespace fathom
