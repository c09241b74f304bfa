// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// A question as tokens: `surface` goes to the encoder, `body` is what is linked (docs/schema_linking.md §2).
struct QuestionToken {
  std::string surface;
  std::string body;
  bool operator==(const QuestionToken&) const = default;
};

// The form under which a word is compared with others, in lower case: of "singers" for example "singer".
using WordForm = std::function<std::string(std::string_view)>;

// `words` (question_toks of the data set) joined by blanks, quotes of every kind as one ', the word "id" as
// ID.
std::string normalisedQuestion(const std::vector<std::string>& words);
// A text as the words a data set would have of it: marks at the ends of words and clitics ("n't", "'s") stand
// by themselves. For questions of one's own, and for values.
std::vector<std::string> wordsOfText(std::string_view text);
// `words` normalised and cut into words: at blanks, and a quote that sticks to a word is a word of its own.
std::vector<std::string> questionWords(const std::vector<std::string>& words);
// Surfaces are questionWords; bodies are `form` of them, "year" for 1600 to 2199 and "number" for other whole
// numbers.
std::vector<QuestionToken> questionTokens(const std::vector<std::string>& words, const WordForm& form);

// "year", "number" or the body itself.
std::string numberBody(const std::string& body);

// Lower case of all scripts; ASCII without a detour.
std::string unicodeLower(std::string_view text);

}  // namespace fathom
