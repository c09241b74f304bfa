// SPDX-License-Identifier: Apache-2.0
#include <cctype>

#include "core/spider/scoped/scoped_sql.h"
#include "core/spider/sql_limits.h"

namespace fathom {

namespace {

bool startsWord(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
}
bool inWord(char c) {
  return startsWord(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '$';
}

class Lexer {
 public:
  explicit Lexer(std::string_view sql) : m_sql(sql) {}

  std::vector<SqlToken> run(std::string& error, std::uint32_t& errorAt, bool& tooLarge) {
    tooLarge = m_sql.size() > kMaxSqlBytes;
    if (tooLarge) {
      error =
          "it has " + std::to_string(m_sql.size()) + " bytes, the limit is " + std::to_string(kMaxSqlBytes);
      return {};
    }
    while (skipBlanks()) {
      if (m_tokens.size() >= kMaxSqlTokens) {
        error = "it has more than " + std::to_string(kMaxSqlTokens) + " words and signs";
        errorAt = static_cast<std::uint32_t>(m_at);
        tooLarge = true;
        return {};
      }
      const char c = m_sql[m_at];
      const bool digit = std::isdigit(static_cast<unsigned char>(c));
      const bool dotDigit =
          c == '.' && m_at + 1 < m_sql.size() && std::isdigit(static_cast<unsigned char>(m_sql[m_at + 1]));
      if (startsWord(c)) {
        word();
      } else if (digit || (dotDigit && !afterName())) {
        number();
      } else if (c == '\'' || c == '"' || c == '`' || c == '[') {
        if (!quoted(c == '[' ? ']' : c)) {
          error = std::string("the quote ").append(1, c).append(" is never closed");
          errorAt = static_cast<std::uint32_t>(m_at);
          return {};
        }
      } else {
        symbol();
      }
    }
    push(SqlToken::Kind::End, m_sql.size(), m_sql.size(), "");
    return std::move(m_tokens);
  }

 private:
  // Skips blanks and comments; false at the end.
  bool skipBlanks() {
    while (m_at < m_sql.size()) {
      if (std::isspace(static_cast<unsigned char>(m_sql[m_at]))) {
        ++m_at;
      } else if (m_sql.substr(m_at, 2) == "--") {
        m_at = std::min(m_sql.find('\n', m_at), m_sql.size());
      } else if (m_sql.substr(m_at, 2) == "/*") {
        const auto end = m_sql.find("*/", m_at + 2);
        m_at = end == std::string_view::npos ? m_sql.size() : end + 2;
      } else {
        return true;
      }
    }
    return false;
  }
  bool afterName() const {
    return !m_tokens.empty() && m_tokens.back().span.end == m_at &&
           m_tokens.back().kind != SqlToken::Kind::Symbol;
  }
  void push(SqlToken::Kind kind, std::size_t begin, std::size_t end, std::string text) {
    SqlToken token;
    token.kind = kind;
    token.raw = text;
    token.text = kind == SqlToken::Kind::Word ? asciiLower(text) : std::move(text);
    token.span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    m_tokens.push_back(std::move(token));
    m_at = end;
  }
  void word() {
    std::size_t end = m_at;
    while (end < m_sql.size() && inWord(m_sql[end])) ++end;
    push(SqlToken::Kind::Word, m_at, end, std::string(m_sql.substr(m_at, end - m_at)));
  }
  void number() {
    std::size_t end = m_at;
    const auto at = [&](std::size_t i) { return i < m_sql.size() ? m_sql[i] : '\0'; };
    while (std::isalnum(static_cast<unsigned char>(at(end))) || at(end) == '.' || at(end) == '_' ||
           ((at(end) == '+' || at(end) == '-') && (at(end - 1) == 'e' || at(end - 1) == 'E') && end > m_at)) {
      ++end;
    }
    const auto text = m_sql.substr(m_at, end - m_at);
    // A name that starts with a digit is a word ("2ndname").
    const bool isNumber = text.find_first_not_of("0123456789.eE+-xXabcdefABCDEF_") == std::string_view::npos;
    push(isNumber ? SqlToken::Kind::Number : SqlToken::Kind::Word, m_at, end, std::string(text));
  }
  bool quoted(char close) {
    std::string text;
    for (std::size_t i = m_at + 1; i < m_sql.size(); ++i) {
      if (m_sql[i] != close) {
        text += m_sql[i];
      } else if (close != ']' && i + 1 < m_sql.size() && m_sql[i + 1] == close) {
        text += m_sql[i++];
      } else {
        push(close == '\'' ? SqlToken::Kind::Text : SqlToken::Kind::QuotedWord, m_at, i + 1, std::move(text));
        m_tokens.back().raw = std::string(1, close);
        return true;
      }
    }
    return false;
  }
  void symbol() {
    static constexpr std::string_view kPairs[] = {"<>", "<=", ">=", "!=", "==", "||", "<<", ">>"};
    const auto two = m_sql.substr(m_at, 2);
    for (const auto pair : kPairs) {
      if (two == pair) return push(SqlToken::Kind::Symbol, m_at, m_at + 2, std::string(two));
    }
    push(SqlToken::Kind::Symbol, m_at, m_at + 1, std::string(m_sql.substr(m_at, 1)));
  }

  std::string_view m_sql;
  std::size_t m_at = 0;
  std::vector<SqlToken> m_tokens;
};

}  // namespace

std::vector<SqlToken> lexSql(std::string_view sql, std::string& error, std::uint32_t& errorAt,
                             bool* tooLarge) {
  bool large = false;
  auto tokens = Lexer(sql).run(error, errorAt, large);
  if (tooLarge) *tooLarge = large;
  return tokens;
}

}  // namespace fathom
