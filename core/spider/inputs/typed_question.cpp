// SPDX-License-Identifier: Apache-2.0
#include "core/spider/inputs/typed_question.h"

#include <algorithm>
#include <array>

#include "core/text/utf8.h"

namespace fathom {

namespace {

bool isOneOf(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}
bool typedDigit(char c) {
  return c >= '0' && c <= '9';
}
bool typedLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::vector<std::string> cutAtSpace(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t space = unicodeSpaceLength(text, at);
    if (space == 0) {
      word += text[at++];
      continue;
    }
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
    at += space;
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

constexpr std::array<std::string_view, 7> kTypedClitics = {"n't", "'ll", "'re", "'ve", "'s", "'m", "'d"};

// A word without white space, punctuation or quotes at its ends: "don't" is "do" and "n't".
void addTypedWord(std::string word, std::vector<std::string>& tokens) {
  for (const std::string_view clitic : kTypedClitics) {
    const std::size_t stem = word.size() - std::min(word.size(), clitic.size());
    if (stem == 0 || toLowerCase(word.substr(stem)) != clitic) continue;
    tokens.push_back(word.substr(0, stem));
    tokens.push_back(word.substr(stem));
    return;
  }
  if (!word.empty()) tokens.push_back(std::move(word));
}

// Whether the character at `at` of a chunk stands alone.
bool standsAlone(std::string_view chunk, std::size_t at, bool sentenceEnd) {
  const char c = chunk[at];
  if (isOneOf(c, "?!;@#$%&()[]{}<>\"`")) return true;
  if (isOneOf(c, ",:")) return at + 1 == chunk.size() || !typedDigit(chunk[at + 1]);
  if (c == '.') {
    const std::size_t rest = chunk.find_first_not_of(".'\")]}", at);
    return sentenceEnd && rest == std::string_view::npos && (at == 0 || chunk[at - 1] != '.');
  }
  if (c != '\'') return false;
  const bool last = chunk.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
                                        at) == std::string_view::npos;
  return last || at == 0 || !typedLetter(chunk[at - 1]);
}

void addTypedChunk(std::string_view chunk, bool sentenceEnd, std::vector<std::string>& tokens) {
  std::string word;
  for (std::size_t at = 0; at < chunk.size(); ++at) {
    if (!standsAlone(chunk, at, sentenceEnd)) {
      word += chunk[at];
      continue;
    }
    addTypedWord(std::move(word), tokens);
    word.clear();
    tokens.emplace_back(1, chunk[at]);
  }
  addTypedWord(std::move(word), tokens);
}

}  // namespace

std::vector<std::string> tokensOfQuestion(std::string_view question) {
  const std::vector<std::string> chunks = cutAtSpace(question);
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    // A period ends a sentence at the end of the question, or before a capital behind a word of some length.
    const bool end = i + 1 == chunks.size() ||
                     (chunks[i].size() > 4 && chunks[i + 1][0] >= 'A' && chunks[i + 1][0] <= 'Z');
    addTypedChunk(chunks[i], end, tokens);
  }
  return tokens;
}

}  // namespace fathom
