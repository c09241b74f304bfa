// SPDX-License-Identifier: Apache-2.0
#include "core/sqlrun/suite_preparation.h"

#include <algorithm>
#include <cctype>

#include "core/base/text/text_list.h"

namespace fathom {

namespace {

bool wordAt(std::string_view text, std::size_t at, std::string_view word) {
  if (at + word.size() > text.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(text[at + i])) != word[i]) return false;
  }
  return true;
}

bool isBlank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool inName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '@' || c == ':';
}

// The first place behind a comment that begins at `at`; `at` itself where none does.
std::size_t behindComment(std::string_view sql, std::size_t at) {
  const std::string_view two = sql.substr(at, 2);
  if (two == "--" || two.starts_with('#')) return std::min(sql.find('\n', at), sql.size());
  if (two != "/*") return at;
  const std::size_t end = sql.find("*/", at + 2);
  return end == std::string_view::npos ? sql.size() : end + 2;
}

// The first place behind a quoted text or name that begins at `at`. A quote that is never closed protects
// nothing.
std::size_t behindQuoted(std::string_view sql, std::size_t at) {
  if (std::string_view("'\"`[").find(sql[at]) == std::string_view::npos) return at;
  const std::size_t end = sql.find(sql[at] == '[' ? ']' : sql[at], at + 1);
  return end == std::string_view::npos ? at : end + 1;
}

// Blanks and line comments behind a semicolon belong to its statement; line ends at the end of all do not.
std::size_t statementEnd(std::string_view sql, std::size_t at) {
  while (at < sql.size()) {
    if (isBlank(sql[at]) && sql[at] != '\n')
      ++at;
    else if (sql.substr(at, 2) == "--")
      at = behindComment(sql, at);
    else
      break;
  }
  return at;
}

struct FirstStatement {
  std::string text;
  bool distinct = false;  // there was one, and it was deleted
};

FirstStatement withoutDistinct(std::string_view sql) {
  FirstStatement out;
  int brackets = 0;
  for (std::size_t i = 0; i < sql.size();) {
    const std::size_t next = std::max(behindComment(sql, i), behindQuoted(sql, i));
    if (next > i) {
      out.text += sql.substr(i, next - i);
      i = next;
      continue;
    }
    if (wordAt(sql, i, "distinct") && (i == 0 || !inName(sql[i - 1])) &&
        (i + 8 == sql.size() || !inName(sql[i + 8]))) {
      out.distinct = true;
      i += 8;
      continue;
    }
    brackets += (sql[i] == '(') - (sql[i] == ')');
    out.text += sql[i++];
    if (sql[i - 1] != ';' || brackets > 0) continue;
    out.text += sql.substr(i, statementEnd(sql, i) - i);
    break;
  }
  return out;
}

// The place behind year ( curdate ( ) ) and the blanks that follow; `at` itself where it does not stand.
std::size_t behindYear(std::string_view sql, std::size_t at) {
  std::size_t next = at;
  for (const char* part : {"year", "(", "curdate", "(", ")", ")"}) {
    if (!wordAt(sql, next, part)) return at;
    next += std::string_view(part).size();
    while (next < sql.size() && isBlank(sql[next])) ++next;
  }
  return next;
}

}  // namespace

std::string testSuiteQuery(std::string_view sql, bool keepDistinct, bool prediction) {
  std::string text(sql);
  if (prediction) replaceAll(text, "value", "1");
  replaceAll(text, "> =", ">=");
  replaceAll(text, "< =", "<=");
  replaceAll(text, "! =", "!=");
  if (!keepDistinct) text = withoutDistinct(text).text;
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t next = behindYear(text, i);
    if (next > i) {
      out += "2020";
      i = next;
    } else {
      out += text[i++];
    }
  }
  return out;
}

bool hasDistinct(std::string_view sql) {
  return withoutDistinct(sql).distinct;
}

bool asksForOrder(std::string_view goldSql) {
  for (std::size_t i = 0; i < goldSql.size(); ++i) {
    if (!wordAt(goldSql, i, "order")) continue;
    std::size_t next = i + 5;
    if (goldSql.substr(next, 2) == "\r\n") ++next;
    if (next < goldSql.size() && isBlank(goldSql[next]) && wordAt(goldSql, next + 1, "by")) return true;
  }
  return false;
}

}  // namespace fathom
