// SPDX-License-Identifier: Apache-2.0
#include "core/text/moses_13a_tokenizer.h"

#include <array>

#include "core/base/text/utf8.h"

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

// The four substitutions in one pass. Each sees the output of the one before it, and a match uses up its
// characters: (a) blanks around a symbol; (b) a non-digit and a point: the point stands alone; (c) a point
// and a non-digit: the point stands alone; (d) a digit and a hyphen: the hyphen stands alone.
class Substitutions {
 public:
  explicit Substitutions(char* out) : m_out(out) {}

  char* run(const std::string& in) {
    for (const char c : in) {
      const unsigned char kind = classOf(c);
      if (kind == Other) {
        if (m_point != 0) flushPoint();
        *m_out++ = c;
        m_usable = true;
        m_afterDigit = false;
      } else if (kind == Symbol && c != ' ') {
        afterPoint(' ');
        afterPoint(c);
        afterPoint(' ');
        m_usable = true;
      } else if (kind == Point && m_usable) {
        afterPoint(' ');
        afterPoint(c);
        afterPoint(' ');
        m_usable = false;
      } else {
        afterPoint(c);
        m_usable = kind != Digit;
      }
    }
    if (m_point != 0) afterDigit(m_point);
    return m_out;
  }

 private:
  void flushPoint() {
    afterDigit(' ');
    afterDigit(m_point);
    afterDigit(' ');
    m_point = 0;
  }
  // Rule (c).
  void afterPoint(char c) {
    const unsigned char kind = classOf(c);
    if (m_point == 0) {
      if (kind == Point)
        m_point = c;
      else
        afterDigit(c);
      return;
    }
    if (kind != Digit) {
      flushPoint();
    } else {
      afterDigit(m_point);
      m_point = 0;
    }
    afterDigit(c);
  }
  // Rule (d).
  void afterDigit(char c) {
    const bool alone = c == '-' && m_afterDigit;
    if (alone) *m_out++ = ' ';
    *m_out++ = c;
    if (alone) *m_out++ = ' ';
    m_afterDigit = classOf(c) == Digit;
  }

  char* m_out;
  bool m_usable = false;      // (b): the character before is no digit and not used up
  char m_point = 0;           // (c): a point waiting for what follows
  bool m_afterDigit = false;  // (d)
};

}  // namespace

const std::vector<std::string_view>& Moses13aTokenizer::tokens(std::string_view segment) {
  prepare(segment, m_first);
  m_second.resize(8 * m_first.size());
  m_second.resize(static_cast<std::size_t>(Substitutions(m_second.data()).run(m_first) - m_second.data()));
  m_tokens.clear();
  splitAtWhiteSpace(m_second, m_tokens);
  return m_tokens;
}

void splitAtWhiteSpace(std::string_view text, std::vector<std::string_view>& tokens) {
  const auto mayBeSpace = [](unsigned char byte) {
    return byte <= 0x20 || byte == 0xC2 || (byte >= 0xE1 && byte <= 0xE3);
  };
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length =
        mayBeSpace(static_cast<unsigned char>(text[i])) ? unicodeSpaceLength(text, i) : 0;
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
