// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/question_tokens.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>

namespace fathom {

namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

bool allDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

// Every quote, | and back-tick is a '; runs of ' are one.
std::string oneQuote(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char quote = c == '"' || c == '|' || c == '`' ? '\'' : c;
    if (quote != '\'' || out.empty() || out.back() != '\'') out += quote;
  }
  return out;
}

// The word "id" in any case, between the start or a blank and one of ", ! ? ." or a blank or the end, is
// "ID". As in the released code what ends one such word cannot begin the next: of "id id" only the first.
std::string withId(std::string text) {
  const std::string_view ends = " ,!?.";
  std::size_t from = 0;  // nothing before it may be used any more
  for (std::size_t at = 0; at + 2 <= text.size(); ++at) {
    const bool begins = at == 0 || (at > from && text[at - 1] == ' ');
    const bool word = (text[at] == 'i' || text[at] == 'I') && (text[at + 1] == 'd' || text[at + 1] == 'D');
    const bool stops = at + 2 == text.size() || ends.find(text[at + 2]) != std::string_view::npos;
    if (!begins || !word || !stops) continue;
    text[at] = 'I';
    text[at + 1] = 'D';
    from = at + 3;
  }
  return text;
}

bool isClitic(std::string_view word) {
  static constexpr std::array<std::string_view, 7> kEnds = {"'s", "'m", "'d", "'re", "'ve", "'ll", "'em"};
  const std::string lower = unicodeLower(word);
  return std::find(kEnds.begin(), kEnds.end(), lower) != kEnds.end();
}

void addWord(std::string_view word, std::vector<std::string>& words) {
  const bool opened = word.size() > 1 && word.front() == '\'' && !isClitic(word);
  if (opened) {
    words.emplace_back("'");
    word.remove_prefix(1);
  }
  const bool closed = word.size() > 1 && word.back() == '\'';
  if (closed) word.remove_suffix(1);
  words.emplace_back(word);
  if (closed) words.emplace_back("'");
}

// Marks at both ends of a word of a text, and its clitics, as words of their own. A period belongs to the
// word unless it is the last thing of the text or the word has no other ("U.S.").
void addTextWord(std::string_view word, bool last, std::vector<std::string>& words) {
  while (word.size() > 1 && std::string_view("\"'`([{<").find(word.front()) != std::string_view::npos &&
         !isClitic(word)) {
    words.emplace_back(word.substr(0, 1));
    word.remove_prefix(1);
  }
  std::vector<std::string> behind;
  while (word.size() > 1 && !isClitic(word)) {
    const char end = word.back();
    const bool period = end == '.' && (last || word.find('.') == word.size() - 1);
    if (!period && std::string_view("\"'`)]}>?!,;:").find(end) == std::string_view::npos) break;
    behind.emplace_back(word.substr(word.size() - 1));
    word.remove_suffix(1);
  }
  const std::string lower = unicodeLower(word);
  for (const std::string_view clitic : {"n't", "'s", "'re", "'ve", "'ll", "'m", "'d"}) {
    if (lower.size() == word.size() && lower.size() > clitic.size() && lower.ends_with(clitic)) {
      behind.emplace_back(word.substr(word.size() - clitic.size()));
      word.remove_suffix(clitic.size());
      break;
    }
  }
  words.emplace_back(word);
  words.insert(words.end(), behind.rbegin(), behind.rend());
}

}  // namespace

std::vector<std::string> wordsOfText(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    const bool last = text.find_first_not_of(" \t\r\n", end) == std::string_view::npos;
    if (end > at) addTextWord(text.substr(at, end - at), last, words);
    at = end + 1;
  }
  return words;
}

std::string unicodeLower(std::string_view text) {
  std::string out(text);
  bool ascii = true;
  for (char& c : out) {
    ascii = ascii && static_cast<unsigned char>(c) < 0x80;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (ascii) return out;
  out.clear();
  icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())))
      .toLower(icu::Locale::getRoot())
      .toUTF8String(out);
  return out;
}

std::string normalisedQuestion(const std::vector<std::string>& words) {
  std::string joined;
  for (const auto& word : words) {
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  return withId(oneQuote(joined));
}

std::vector<std::string> questionWords(const std::vector<std::string>& words) {
  const std::string text = normalisedQuestion(words);
  std::vector<std::string> out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    if (end > at) addWord(std::string_view(text).substr(at, end - at), out);
    at = end + 1;
  }
  return out;
}

std::string numberBody(const std::string& body) {
  if (body.size() == 4 && allDigits(body)) {
    const int century = (body[0] - '0') * 10 + body[1] - '0';
    if (century >= 16 && century <= 21) return "year";
  }
  std::string digits;
  for (const char c : body) {
    if (c != ':' && c != '.') digits += c;
  }
  if (digits.starts_with('-')) digits.erase(0, 1);
  return allDigits(digits) ? "number" : body;
}

std::vector<QuestionToken> questionTokens(const std::vector<std::string>& words, const WordForm& form) {
  std::vector<QuestionToken> tokens;
  for (auto& word : questionWords(words)) {
    std::string body = numberBody(form(word));
    tokens.push_back({std::move(word), std::move(body)});
  }
  return tokens;
}

}  // namespace fathom
