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

bool hasPlaceholders(std::string_view sql) {
  bool found = false;
  eachLiteral(sql, [&](SourceSpan, bool placeholder) { found = found || placeholder; });
  return found;
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
