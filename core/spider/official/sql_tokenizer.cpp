// SPDX-License-Identifier: Apache-2.0
#include "core/spider/official/sql_tokenizer.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

#include "core/spider/sql_limits.h"

namespace fathom {

namespace {

bool isAsciiSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
}
bool isAsciiDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isPadded(char c) {
  return std::string_view(";@#$%&?!*[](){}<>").find(c) != std::string_view::npos;
}

// Letters, digits and "_": no rule begins with them.
constexpr std::array<bool, 128> plainBytes() {
  std::array<bool, 128> plain{};
  for (std::size_t c = 0; c < plain.size(); ++c)
    plain[c] = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  return plain;
}
constexpr std::array<bool, 128> kPlain = plainBytes();
bool isPlain(char c) {
  return static_cast<unsigned char>(c) < 0x80 && kPlain[static_cast<unsigned char>(c)];
}

// Decodes one code point at `at` (invalid bytes stand for themselves); returns its length.
int decode(std::string_view text, std::size_t at, UChar32& code) {
  int32_t offset = 0;
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data()) + at;
  U8_NEXT(bytes, offset, static_cast<int32_t>(std::min<std::size_t>(text.size() - at, 8)), code);
  if (code < 0) offset = 1;
  return offset;
}

bool isWordByte(char c) {
  return isAsciiDigit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

// True for a double letter ("nn", "mm", "tt"), which all the joined words have and hardly any other.
bool hasDoubleLetter(std::string_view word) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const char letter = static_cast<char>(word[i] | 0x20);
    if (letter == (word[i - 1] | 0x20) && (letter == 'n' || letter == 'm' || letter == 't')) return true;
  }
  return false;
}

// Splits the joined words English has and SQL sometimes meets: cannot, gimme, gonna, gotta, lemme, wanna.
void pushWord(std::vector<std::string>& words, std::string_view word) {
  struct Joined {
    std::string_view text;
    std::size_t first;
    bool onlyAtEnd;
  };
  static constexpr std::array<Joined, 6> kJoined = {{{"cannot", 3, false},
                                                     {"gimme", 3, false},
                                                     {"gonna", 3, false},
                                                     {"gotta", 3, false},
                                                     {"lemme", 3, false},
                                                     {"wanna", 3, true}}};
  const auto sameLetter = [](char a, char b) { return (a | 0x20) == b; };
  if (!hasDoubleLetter(word)) {
    words.emplace_back(word);
    return;
  }
  for (const auto& joined : kJoined) {
    if (word.size() < joined.text.size()) continue;
    const auto at = std::search(word.begin(), word.end(), joined.text.begin(), joined.text.end(), sameLetter);
    if (at == word.end()) continue;
    const auto start = static_cast<std::size_t>(at - word.begin());
    const std::size_t end = start + joined.text.size();
    const bool whole =
        (start == 0 || !isWordByte(word[start - 1])) && (end == word.size() || !isWordByte(word[end]));
    if (!whole || (joined.onlyAtEnd && end != word.size())) continue;
    if (start > 0) pushWord(words, word.substr(0, start));
    words.emplace_back(word.substr(start, joined.first));
    words.emplace_back(word.substr(start + joined.first, joined.text.size() - joined.first));
    if (end < word.size()) pushWord(words, word.substr(end));
    return;
  }
  words.emplace_back(word);
}

// Position of the final full stop (it becomes a token of its own), or npos. Closing brackets and quotes may
// follow.
std::size_t finalStop(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    const char c = text[end - 1];
    if (isAsciiSpace(c) || c == ']' || c == ')' || c == '}' || c == '>') {
      --end;
    } else if (end >= 2 && text.substr(end - 2, 2) == "\xC2\xBB") {
      end -= 2;
    } else if (end >= 3 &&
               (text.substr(end - 3, 3) == "\xE2\x80\x9D" || text.substr(end - 3, 3) == "\xE2\x80\x99")) {
      end -= 3;
    } else {
      break;
    }
  }
  if (end < 2 || text[end - 1] != '.' || text[end - 2] == '.') return std::string_view::npos;
  return end - 1;
}

// One pass over the text; each branch is one of the tokenizer's rules.
class WordSplitter {
 public:
  explicit WordSplitter(std::string_view text) : m_text(text), m_stop(finalStop(text)) {}

  std::vector<std::string> split() {
    m_words.reserve(std::min<std::size_t>(m_text.size() / 4 + 4, 128));
    while (m_at < m_text.size()) step();
    flush();
    return std::move(m_words);
  }

 private:
  // The word that ends here; the next one starts `skipped` bytes later.
  void flush(std::size_t skipped = 0) {
    if (m_at > m_start) pushWord(m_words, m_text.substr(m_start, m_at - m_start));
    m_at += skipped;
    m_start = m_at;
  }
  void emit(std::string_view token) {
    flush(token.size());
    m_words.emplace_back(token);
  }
  std::size_t runOf(char c) const {
    std::size_t end = m_at;
    while (end < m_text.size() && m_text[end] == c) ++end;
    return end - m_at;
  }

  void step() {
    const char c = m_text[m_at];
    if (isPlain(c) && m_at != m_stop) {
      ++m_at;
      return;
    }
    if (static_cast<unsigned char>(c) >= 0x80) return stepWide();
    if (isAsciiSpace(c)) {
      flush(1);
    } else if (isPadded(c) || m_at == m_stop) {
      emit(m_text.substr(m_at, 1));
    } else if (c == '`') {
      emit(m_text.substr(m_at, runOf('`')));
    } else if (c == '.' && runOf('.') >= 2) {
      emit(m_text.substr(m_at, runOf('.')));
    } else if (c == '-' && m_text.substr(m_at, 2) == "--") {
      emit("--");
    } else if (c == ',' || c == ':') {
      stepComma();
    } else {
      ++m_at;
    }
  }

  // A comma or colon splits off unless a digit follows or the same rule has just used it as "what follows".
  void stepComma() {
    const bool last = m_at + 1 == m_text.size();
    const bool used = m_usedByComma == m_at && m_at > 0;
    if (last || (!used && !digitAt(m_at + 1))) {
      if (!last) m_usedByComma = m_at + 1;
      emit(m_text.substr(m_at, 1));
    } else {
      ++m_at;
    }
  }

  bool digitAt(std::size_t at) const {
    if (static_cast<unsigned char>(m_text[at]) < 0x80) return isAsciiDigit(m_text[at]);
    UChar32 code = 0;
    decode(m_text, at, code);
    return code >= 0 && u_isdigit(code);
  }

  void stepWide() {
    UChar32 code = 0;
    const auto length = static_cast<std::size_t>(decode(m_text, m_at, code));
    const std::string_view bytes = m_text.substr(m_at, length);
    if (code >= 0 && (u_isUWhiteSpace(code) != 0)) {
      flush(length);
    } else if (code == 0xAB || code == 0xBB || code == 0x201C || code == 0x201D || code == 0x2018 ||
               code == 0x2019 || code == 0x201E) {
      emit(bytes);
    } else {
      m_at += length;
    }
  }

  std::string_view m_text;
  std::size_t m_stop;
  std::size_t m_at = 0;
  std::size_t m_usedByComma = 0;
  std::size_t m_start = 0;  // of the word that is being read
  std::vector<std::string> m_words;
};

void lowerInPlace(std::string& text) {
  const bool ascii = std::none_of(text.begin(), text.end(), [](char c) { return c & 0x80; });
  if (!ascii) {
    std::string out;
    icu::UnicodeString::fromUTF8(text).toLower(icu::Locale::getRoot()).toUTF8String(out);
    text = std::move(out);
    return;
  }
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
}

// Quoted parts replaced by words that no rule splits; `values` gets (word, quoted text).
std::string protectQuotes(const std::string& sql, std::vector<std::pair<std::string, std::string>>& values) {
  std::string out;
  out.reserve(sql.size() + 16);
  std::size_t at = 0;
  while (true) {
    const auto open = sql.find('"', at);
    if (open == std::string::npos) break;
    const auto close = sql.find('"', open + 1);
    std::string word = "__val_" + std::to_string(open) + "_" + std::to_string(close) + "__";
    out.append(sql, at, open - at).append(word);
    values.emplace_back(std::move(word), sql.substr(open, close - open + 1));
    at = close + 1;
  }
  return out.append(sql, at);
}

void joinComparisons(std::vector<std::string>& tokens) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == "=" && out > 0 &&
        (tokens[out - 1] == "!" || tokens[out - 1] == ">" || tokens[out - 1] == "<")) {
      tokens[out - 1] += '=';
    } else {
      if (out != i) tokens[out] = std::move(tokens[i]);
      ++out;
    }
  }
  tokens.resize(out);
}

}  // namespace

std::vector<std::string> splitWordsNltk(std::string_view text) {
  return WordSplitter(text).split();
}

Result<std::vector<std::string>> tokenizeOfficialSql(std::string_view sql) {
  if (sql.size() > kMaxSqlBytes) {
    return dataError(Phrase::tr("SQL text of %1 bytes is over the limit of %2")(sql.size(), kMaxSqlBytes));
  }
  std::string text(sql);
  std::replace(text.begin(), text.end(), '\'', '"');
  const auto quotes = std::count(text.begin(), text.end(), '"');
  if (quotes % 2 != 0) return dataError(Phrase::tr("odd number of quotes (%1)")(quotes));
  std::vector<std::pair<std::string, std::string>> values;
  if (quotes > 0) text = protectQuotes(text, values);
  auto tokens = splitWordsNltk(text);
  for (auto& token : tokens) {
    lowerInPlace(token);
    if (values.empty() || !token.starts_with("__val_")) continue;
    for (auto& [word, value] : values) {
      if (token == word) {
        token = value;
        break;
      }
    }
  }
  joinComparisons(tokens);
  return tokens;
}

}  // namespace fathom
