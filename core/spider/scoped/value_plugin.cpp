// SPDX-License-Identifier: Apache-2.0
#include "core/spider/scoped/value_plugin.h"

#include <algorithm>

namespace fathom {

namespace {

constexpr std::size_t kMostPluggedBytes = std::size_t{1} << 20;  // of all variants of a query

bool isSymbol(const SqlToken& token, std::string_view text) {
  return token.kind == SqlToken::Kind::Symbol && token.text == text;
}

// A double-quoted word is a text, as Spider writes them, unless it stands where only a name can.
bool quotedIsText(const std::vector<SqlToken>& tokens, std::size_t at) {
  if (tokens[at].raw != "\"") return false;
  if (isSymbol(tokens[at + 1], ".")) return false;
  if (at == 0) return false;
  const SqlToken& before = tokens[at - 1];
  if (isSymbol(before, ".")) return false;
  if (before.kind != SqlToken::Kind::Word) return !isSymbol(before, ",") || isSymbol(tokens[at + 1], ")");
  for (const char* word : {"like", "between", "and", "in", "glob"}) {
    if (before.text == word) return true;
  }
  return false;
}

// "value" stands for a constant where a constant can stand.
bool wordIsPlaceholder(const std::vector<SqlToken>& tokens, std::size_t at) {
  if (tokens[at].text != "value" && tokens[at].text != "terminal") return false;
  if (isSymbol(tokens[at + 1], ".") || at == 0) return false;
  const SqlToken& before = tokens[at - 1];
  for (const char* symbol : {"=", "==", "<", ">", "<=", ">=", "!=", "<>"}) {
    if (isSymbol(before, symbol)) return true;
  }
  for (const char* word : {"like", "between", "and", "limit"}) {
    if (before.kind == SqlToken::Kind::Word && before.text == word) return true;
  }
  return false;
}

// True if the bare word is a name here: of a column of the schema, or one that the query gives.
bool valueIsName(const std::vector<SqlToken>& tokens, const SpiderSchema& schema) {
  const auto isValue = [](const SqlToken& token) { return token.text == "value"; };
  for (const SpiderColumn& column : schema.columns)
    if (column.key == "value") return true;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool as = tokens[i].kind == SqlToken::Kind::Word && tokens[i].text == "as";
    if (as && (isValue(tokens[i + 1]) || (i > 0 && isValue(tokens[i - 1])))) return true;
  }
  return false;
}

// Replacement of the tokens from `at` on, and their number; 0: they stay as they stand.
std::pair<std::size_t, const char*> repaired(const std::vector<SqlToken>& tokens, std::size_t at) {
  if (isSymbol(tokens[at + 1], "=") && tokens[at + 1].span.begin > tokens[at].span.end) {
    if (isSymbol(tokens[at], ">")) return {2, ">="};
    if (isSymbol(tokens[at], "<")) return {2, "<="};
    if (isSymbol(tokens[at], "!")) return {2, "!="};
  }
  std::size_t next = at;
  for (const char* part : {"year", "(", "curdate", "(", ")", ")"}) {
    const bool bare = next + 1 < tokens.size() && tokens[next].kind != SqlToken::Kind::Text &&
                      tokens[next].kind != SqlToken::Kind::QuotedWord;
    if (!bare || tokens[next].text != part) return {0, ""};
    ++next;
  }
  return {next - at, "2020"};
}

template <typename Visit>
void eachLiteral(std::string_view sql, const Visit& visit) {
  std::string error;
  std::uint32_t errorAt = 0;
  const auto tokens = lexSql(sql, error, errorAt);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const SqlToken& token = tokens[i];
    const bool literal = token.kind == SqlToken::Kind::Text || token.kind == SqlToken::Kind::Number ||
                         (token.kind == SqlToken::Kind::QuotedWord && quotedIsText(tokens, i));
    const bool placeholder = (literal && (token.text == "terminal" || token.text == "value")) ||
                             (token.kind == SqlToken::Kind::Word && wordIsPlaceholder(tokens, i));
    if (literal || placeholder) visit(token.span, placeholder);
  }
}

std::string textAt(std::string_view sql, SourceSpan span) {
  return std::string(sql.substr(span.begin, span.end - span.begin));
}

// The query with values[choice[i]] in slot i.
std::string plugged(std::string_view sql, const std::vector<SourceSpan>& slots,
                    const std::vector<std::string>& values, const std::vector<std::size_t>& choice) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    out += sql.substr(at, slots[i].begin - at);
    out += values[choice[i]];
    at = slots[i].end;
  }
  return out + std::string(sql.substr(at));
}

}  // namespace

std::vector<SourceSpan> literalSlots(std::string_view sql) {
  std::vector<SourceSpan> slots;
  eachLiteral(sql, [&](SourceSpan span, bool) { slots.push_back(span); });
  return slots;
}

bool hasPlaceholders(std::string_view sql, const SpiderSchema* schema) {
  bool found = false;
  std::string error;
  std::uint32_t errorAt = 0;
  const bool named = schema != nullptr && valueIsName(lexSql(sql, error, errorAt), *schema);
  eachLiteral(sql, [&](SourceSpan span, bool placeholder) {
    const bool name = named && asciiLower(sql.substr(span.begin, span.end - span.begin)) == "value";
    found = found || (placeholder && !name);
  });
  return found;
}

std::string queryAsWritten(std::string_view sql, const SpiderSchema& schema) {
  std::string error, out;
  std::uint32_t errorAt = 0;
  const auto tokens = lexSql(sql, error, errorAt);
  if (!error.empty()) return std::string(sql);
  const bool named = valueIsName(tokens, schema);
  std::size_t at = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    auto [count, text] = repaired(tokens, i);
    if (count == 0 && !named && tokens[i].kind == SqlToken::Kind::Word && tokens[i].text == "value" &&
        wordIsPlaceholder(tokens, i)) {
      count = 1;
      text = "1";
    }
    if (count == 0) continue;
    out += sql.substr(at, tokens[i].span.begin - at);
    out += text;
    i += count - 1;
    at = tokens[i].span.end;
  }
  return out + std::string(sql.substr(at));
}

std::vector<std::string> pluggedQueries(std::string_view gold, std::string_view predicted, std::size_t most) {
  const auto slots = literalSlots(predicted);
  std::vector<std::string> ordered, values, out;
  for (const auto span : literalSlots(gold)) ordered.push_back(textAt(gold, span));
  if (slots.empty() || ordered.empty()) return out;
  // A long query has fewer variants: all of them are in memory at once.
  std::size_t longest = 0;
  for (const auto& value : ordered) longest = std::max(longest, value.size());
  most =
      std::clamp<std::size_t>(kMostPluggedBytes / (predicted.size() + slots.size() * longest + 1), 1, most);
  for (const auto& value : ordered) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  const auto add = [&](std::string sql) {
    if (sql != predicted && std::find(out.begin(), out.end(), sql) == out.end())
      out.push_back(std::move(sql));
  };
  std::vector<std::size_t> choice;
  for (std::size_t i = 0; i < slots.size(); ++i) choice.push_back(std::min(i, ordered.size() - 1));
  add(plugged(predicted, slots, ordered, choice));
  // Counts through values^slots, the first slot slowest.
  choice.assign(slots.size(), 0);
  for (std::size_t tried = 0; tried < most && out.size() < most; ++tried) {
    add(plugged(predicted, slots, values, choice));
    std::size_t slot = slots.size();
    while (slot > 0 && ++choice[slot - 1] == values.size()) choice[--slot] = 0;
    if (slot == 0) break;
  }
  return out;
}

}  // namespace fathom
