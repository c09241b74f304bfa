// SPDX-License-Identifier: Apache-2.0
#include "core/text/moses_13a_tokenizer.h"

#include <array>

#include "core/text/utf8.h"

namespace fathom {

namespace {

enum CharacterClass : unsigned char { Other, Symbol, Digit, Point, Hyphen };

// Symbol: what rule (a) isolates, {-~ [-` blank-& (-+ :-@ /. Point: "." and ",".
constexpr std::array<unsigned char, 256> makeClasses() {
  std::array<unsigned char, 256> classes{};
  const auto fill = [&](int from, int to, CharacterClass kind) {
    for (int c = from; c <= to; ++c) classes[static_cast<std::size_t>(c)] = kind;
  };
  fill('{', '~', Symbol);
  fill('[', '`', Symbol);
  fill(' ', '&', Symbol);
  fill('(', '+', Symbol);
  fill(':', '@', Symbol);
  fill('/', '/', Symbol);
  fill('0', '9', Digit);
  fill('.', '.', Point);
  fill(',', ',', Point);
  fill('-', '-', Hyphen);
  return classes;
}
constexpr auto kClasses = makeClasses();

unsigned char classOf(char c) {
  return kClasses[static_cast<unsigned char>(c)];
}

void replaceAll(std::string& text, std::string_view what, std::string_view with) {
  std::size_t from = text.find(what);
  if (from == std::string::npos) return;
  std::string result;
  std::size_t done = 0;
  for (; from != std::string::npos; from = text.find(what, done)) {
    result.append(text, done, from - done).append(with);
    done = from + what.size();
  }
  result.append(text, done);
  text.swap(result);
}

// Everything before the four rules; the result has one blank on either side.
void prepare(std::string_view segment, std::string& out) {
  out.assign(segment);
  if (out.find('<') != std::string::npos) replaceAll(out, "<skipped>", "");
  if (out.find('\n') != std::string::npos) {
    replaceAll(out, "-\n", "");
    replaceAll(out, "\n", " ");
  }
  if (out.find('&') != std::string::npos) {
    replaceAll(out, "&quot;", "\"");
    replaceAll(out, "&amp;", "&");
    replaceAll(out, "&lt;", "<");
    replaceAll(out, "&gt;", ">");
  }
  out.insert(out.begin(), ' ');
  out.push_back(' ');
}

// Rule (a): blanks around every symbol.
void isolateSymbols(const std::string& in, std::string& out) {
  out.resize(3 * in.size());
  char* to = out.data();
  for (const char c : in) {
    if (c != ' ' && classOf(c) == Symbol) {
      *to++ = ' ';
      *to++ = c;
      *to++ = ' ';
    } else {
      *to++ = c;
    }
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
}

// Rule (b): a non-digit and a point -> the point stands alone. A match uses up both characters.
void splitAfterNonDigit(const std::string& in, std::string& out) {
  out.resize(3 * in.size());
  char* to = out.data();
  for (std::size_t i = 0; i < in.size(); ++i) {
    *to++ = in[i];
    if (i + 1 < in.size() && classOf(in[i + 1]) == Point && classOf(in[i]) != Digit) {
      *to++ = ' ';
      *to++ = in[++i];
      *to++ = ' ';
    }
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
}

// Rules (c) a point and a non-digit and then (d) a digit and a hyphen. (c) uses up both characters; (d) sees
// its output, where only the blank before a point is new, so one pass does both.
void splitBeforeNonDigit(const std::string& in, std::string& out) {
  out.resize(4 * in.size());
  char* to = out.data();
  const auto put = [&](char c) {
    const bool afterDigit = c == '-' && to != out.data() && classOf(to[-1]) == Digit;
    if (afterDigit) *to++ = ' ';
    *to++ = c;
    if (afterDigit) *to++ = ' ';
  };
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (classOf(in[i]) == Point && i + 1 < in.size() && classOf(in[i + 1]) != Digit) {
      *to++ = ' ';
      *to++ = in[i];
      *to++ = ' ';
      put(in[++i]);
    } else {
      put(in[i]);
    }
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
}

}  // namespace

const std::vector<std::string_view>& Moses13aTokenizer::tokens(std::string_view segment) {
  prepare(segment, m_first);
  isolateSymbols(m_first, m_second);
  splitAfterNonDigit(m_second, m_first);
  splitBeforeNonDigit(m_first, m_second);
  m_tokens.clear();
  splitAtWhiteSpace(m_second, m_tokens);
  return m_tokens;
}

std::string Moses13aTokenizer::tokenize(std::string_view segment) {
  std::string result;
  for (const std::string_view token : tokens(segment)) {
    if (!result.empty()) result.push_back(' ');
    result.append(token);
  }
  return result;
}

void splitAtWhiteSpace(std::string_view text, std::vector<std::string_view>& tokens) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte > 0x20 && byte < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = unicodeSpaceLength(text, i);
    if (length == 0) {
      ++i;
      continue;
    }
    if (i > start) tokens.push_back(text.substr(start, i - start));
    i += length;
    start = i;
  }
  if (text.size() > start) tokens.push_back(text.substr(start));
}

}  // namespace fathom
