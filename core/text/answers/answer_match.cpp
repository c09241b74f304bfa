// SPDX-License-Identifier: Apache-2.0
#include "core/text/answers/answer_match.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/text/lower_case.h"

namespace fathom {

namespace {

bool asciiPunctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// \w of Python without the underscore, which is punctuation.
bool wordCharacter(char32_t code) {
  if (code < 0x80)
    return (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z');
  return (U_GET_GC_MASK(static_cast<UChar32>(code)) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
}

bool article(std::string_view word) {
  return word == "a" || word == "an" || word == "the";
}

using Words = std::vector<std::string_view>;

Words sortedWords(std::string_view normalized) {
  Words words = splitAt(normalized, ' ');
  std::sort(words.begin(), words.end());
  return words;
}

// Words that both have, each as often as the one that has it less often.
std::size_t sharedWords(const Words& a, const Words& b) {
  std::size_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const int order = a[i].compare(b[j]);
    if (order == 0) ++shared;
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
  return shared;
}

}  // namespace

std::string normalizeAnswer(std::string_view text) {
  std::string lower = toLowerCase(text);
  lower.erase(std::remove_if(lower.begin(), lower.end(), asciiPunctuation), lower.end());
  const std::string_view view = lower;
  std::string result;
  result.reserve(view.size());
  bool space = false;  // before what comes next
  const auto put = [&](std::string_view piece) {
    if (space && !result.empty()) result += ' ';
    space = false;
    result += piece;
  };
  for (std::size_t at = 0; at < view.size();) {
    const std::size_t begin = at;
    const char32_t code = nextCodePoint(view, at);
    if (isUnicodeSpace(code)) {
      space = true;
      continue;
    }
    if (!wordCharacter(code)) {
      put(view.substr(begin, at - begin));
      continue;
    }
    for (std::size_t next = at; next < view.size(); at = next)
      if (!wordCharacter(nextCodePoint(view, next))) break;
    const std::string_view word = view.substr(begin, at - begin);
    if (article(word))
      space = true;
    else
      put(word);
  }
  return result;
}

double normalizedAnswerF1(std::string_view prediction, std::string_view reference, AnswerRules rules) {
  if (prediction.empty() || reference.empty())
    return rules == AnswerRules::Unanswerable && prediction == reference ? 1 : 0;
  const Words predicted = sortedWords(prediction);
  const Words wanted = sortedWords(reference);
  const std::size_t shared = sharedWords(predicted, wanted);
  if (shared == 0) return 0;
  const double precision = static_cast<double>(shared) / static_cast<double>(predicted.size());
  const double recall = static_cast<double>(shared) / static_cast<double>(wanted.size());
  return 2 * precision * recall / (precision + recall);
}

AnswerScore bestAnswerScore(std::string_view prediction, const std::vector<std::string>& references,
                            AnswerRules rules) {
  const std::string predicted = normalizeAnswer(prediction);
  AnswerScore best;
  const auto compare = [&](const std::string& reference) {
    if (reference == predicted) best.exact = 1;
    best.f1 = std::max(best.f1, normalizedAnswerF1(predicted, reference, rules));
  };
  bool compared = false;
  for (const std::string& reference : references) {
    const std::string normalized = normalizeAnswer(reference);
    if (rules == AnswerRules::Unanswerable && normalized.empty()) continue;
    compare(normalized);
    compared = true;
  }
  if (!compared && rules == AnswerRules::Unanswerable) compare({});
  return best;
}

}  // namespace fathom
