// SPDX-License-Identifier: Apache-2.0
#include "core/text/answer_score.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <numeric>

#include "core/base/text/utf8.h"
#include "core/text/lower_case.h"

namespace fathom {

namespace {

bool isAsciiPunctuation(unsigned char c) {
  return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
}

// What \w of Python's expressions matches, but for the underscore, which is punctuation.
bool isWordCharacter(char32_t code) {
  if (code < 0x80)
    return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || (code >= '0' && code <= '9');
  const auto character = static_cast<UChar32>(code);
  return u_isalpha(character) != 0 || u_getNumericValue(character) != U_NO_NUMERIC_VALUE;
}

bool isArticle(std::string_view word) {
  return word == "a" || word == "an" || word == "the";
}

// Lower case without punctuation.
std::string bare(std::string_view text) {
  const bool ascii =
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  std::string lowered;
  if (ascii) {
    lowered.assign(text);
    for (char& c : lowered) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  } else {
    lowered = toLowerCase(text);
  }
  std::erase_if(lowered, [](char c) { return isAsciiPunctuation(static_cast<unsigned char>(c)); });
  return lowered;
}

// Words of the normalised text: runs between white space, with every article that stands alone between
// word boundaries turned into a blank before.
std::vector<std::string> normalisedWords(std::string_view text) {
  const std::string plain = bare(text);
  std::vector<std::string> words;
  std::string word;  // since the last blank
  std::string run;   // word characters since the last other one
  const auto closeRun = [&] {
    if (isArticle(run)) {
      if (!word.empty()) words.push_back(word);
      word.clear();
    } else {
      word += run;
    }
    run.clear();
  };
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t begin = at;
    const char32_t code = nextCodePoint(plain, at);
    if (isWordCharacter(code)) {
      run.append(plain, begin, at - begin);
      continue;
    }
    closeRun();
    if (!isUnicodeSpace(code)) {
      word.append(plain, begin, at - begin);
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  closeRun();
  if (!word.empty()) words.push_back(word);
  return words;
}

// Words in common, counted as often as both have them.
std::size_t sharedWords(std::vector<std::string> first, std::vector<std::string> second) {
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  std::size_t shared = 0, a = 0, b = 0;
  while (a < first.size() && b < second.size()) {
    const int order = first[a].compare(second[b]);
    if (order == 0) ++shared;
    if (order <= 0) ++a;
    if (order >= 0) ++b;
  }
  return shared;
}

AnswerScore scoreOfWords(const std::vector<std::string>& predicted, const std::vector<std::string>& gold,
                         AnswerRules rules) {
  AnswerScore score;
  score.exact = predicted == gold ? 1 : 0;
  if (rules == AnswerRules::Version2 && (predicted.empty() || gold.empty())) {
    score.f1 = score.exact;
    return score;
  }
  const auto shared = static_cast<double>(sharedWords(predicted, gold));
  if (shared == 0) return score;
  const double precision = 1.0 * shared / static_cast<double>(predicted.size());
  const double recall = 1.0 * shared / static_cast<double>(gold.size());
  score.f1 = (2 * precision * recall) / (precision + recall);
  return score;
}

void addTo(AnswerTotals& totals, const AnswerScore& score) {
  totals.exact += score.exact;
  totals.f1 += score.f1;
  ++totals.total;
}

void toPercent(AnswerTotals& totals) {
  if (totals.total == 0) return;
  totals.exact = 100.0 * totals.exact / static_cast<double>(totals.total);
  totals.f1 = 100.0 * totals.f1 / static_cast<double>(totals.total);
}

struct Scan {
  double current = 0, best = 0, threshold = 0;
  double reachable = 0, reachableThreshold = -1;
};

Scan scan(const std::vector<AnsweredQuestion>& questions, const std::vector<AnswerScore>& scores,
          double AnswerScore::*which) {
  std::vector<std::size_t> order;
  Scan result;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (!questions[i].prediction) continue;
    order.push_back(i);
    if (questions[i].gold.empty()) result.current += 1;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return questions[a].noAnswer < questions[b].noAnswer;
  });
  result.best = result.reachable = result.current;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const AnsweredQuestion& question = questions[order[i]];
    if (!question.gold.empty())
      result.current += scores[order[i]].*which;
    else if (!question.prediction->empty())
      result.current -= 1;
    if (result.current > result.best) {
      result.best = result.current;
      result.threshold = question.noAnswer;
    }
    const bool last = i + 1 == order.size() || questions[order[i + 1]].noAnswer != question.noAnswer;
    if (last && result.current > result.reachable) {
      result.reachable = result.current;
      result.reachableThreshold = question.noAnswer;
    }
  }
  const double all = order.empty() ? 1 : static_cast<double>(order.size());
  result.best = 100.0 * result.best / all;
  result.reachable = 100.0 * result.reachable / all;
  return result;
}

}  // namespace

std::string normalisedAnswer(std::string_view text) {
  std::string joined;
  for (const std::string& word : normalisedWords(text)) {
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  return joined;
}

AnswerScore answerScore(std::string_view predicted, std::string_view gold, AnswerRules rules) {
  return scoreOfWords(normalisedWords(predicted), normalisedWords(gold), rules);
}

AnswerScore bestAnswerScore(std::string_view predicted, std::span<const std::string> gold,
                            AnswerRules rules) {
  const std::vector<std::string> own = normalisedWords(predicted);
  AnswerScore best;
  bool any = false;
  const auto take = [&](const std::vector<std::string>& words) {
    const AnswerScore score = scoreOfWords(own, words, rules);
    best.exact = std::max(best.exact, score.exact);
    best.f1 = std::max(best.f1, score.f1);
    any = true;
  };
  for (const std::string& answer : gold) {
    const std::vector<std::string> words = normalisedWords(answer);
    if (rules == AnswerRules::Version1 || !words.empty()) take(words);
  }
  if (!any && rules == AnswerRules::Version2) take({});
  return best;
}

AnswerEvaluation evaluateAnswers(const std::vector<AnsweredQuestion>& questions, AnswerRules rules,
                                 std::optional<double> threshold) {
  AnswerEvaluation evaluation;
  for (const AnsweredQuestion& question : questions) {
    evaluation.each.emplace_back();
    AnswerScore& score = evaluation.each.back();
    if (!question.prediction) ++evaluation.missing;
    if (!question.prediction && rules == AnswerRules::Version2) continue;
    if (question.prediction) score = bestAnswerScore(*question.prediction, question.gold, rules);
    if (threshold && question.noAnswer > *threshold) score.exact = score.f1 = question.gold.empty() ? 1 : 0;
    addTo(evaluation.all, score);
    addTo(question.gold.empty() ? evaluation.unanswerable : evaluation.answerable, score);
  }
  toPercent(evaluation.all);
  toPercent(evaluation.answerable);
  toPercent(evaluation.unanswerable);
  return evaluation;
}

AnswerThresholds bestAnswerThresholds(const std::vector<AnsweredQuestion>& questions,
                                      const std::vector<AnswerScore>& scores) {
  const Scan exact = scan(questions, scores, &AnswerScore::exact);
  const Scan f1 = scan(questions, scores, &AnswerScore::f1);
  return {{exact.best, exact.threshold},
          {f1.best, f1.threshold},
          {exact.reachable, exact.reachableThreshold},
          {f1.reachable, f1.reachableThreshold}};
}

}  // namespace fathom
