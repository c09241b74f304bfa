// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/long_scores.h"

#include <algorithm>
#include <set>

#include "core/base/text/text_list.h"
#include "core/text/answers/answer_match.h"
#include "core/text/lower_case.h"

namespace fathom {

double wikiHopAccuracy(const std::map<std::string, std::string>& gold,
                       const std::map<std::string, std::string>& predictions) {
  std::size_t right = 0;
  for (const auto& [id, answer] : gold) {
    const auto found = predictions.find(id);
    right += found != predictions.end() && found->second == answer;
  }
  return gold.empty() ? 0 : static_cast<double>(right) / static_cast<double>(gold.size());
}

namespace {

// HotpotQA's script normalises as SQuAD's does.
std::vector<std::string> normalisedWords(const std::string& text) {
  std::vector<std::string> words;
  const std::string normal = normalizeAnswer(text);
  if (normal.empty()) return words;
  for (const std::string_view word : splitAt(normal, ' ')) words.emplace_back(word);
  return words;
}

double harmonic(double precision, double recall) {
  return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

// Words that both have, as often as both have them.
std::size_t sharedWords(std::vector<std::string> a, std::vector<std::string> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<std::string> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

HotpotScore::Part answerScore(const std::string& gold, const std::string& answer) {
  const std::vector<std::string> own = normalisedWords(answer), wanted = normalisedWords(gold);
  HotpotScore::Part part;
  part.exact = own == wanted;
  const auto closed = [](const std::vector<std::string>& words) {
    return words.size() == 1 && (words[0] == "yes" || words[0] == "no" || words[0] == "noanswer");
  };
  if ((closed(own) || closed(wanted)) && own != wanted) return part;
  const auto shared = static_cast<double>(sharedWords(own, wanted));
  if (shared == 0) return part;
  part.precision = shared / static_cast<double>(own.size());
  part.recall = shared / static_cast<double>(wanted.size());
  part.f1 = harmonic(part.precision, part.recall);
  return part;
}

HotpotScore::Part factScore(const std::vector<SupportingFact>& gold,
                            const std::vector<SupportingFact>& facts) {
  const std::set<SupportingFact> wanted(gold.begin(), gold.end()), own(facts.begin(), facts.end());
  double shared = 0;
  for (const SupportingFact& fact : own) shared += wanted.count(fact) != 0;
  HotpotScore::Part part;
  part.precision = own.empty() ? 0 : shared / static_cast<double>(own.size());
  part.recall = wanted.empty() ? 0 : shared / static_cast<double>(wanted.size());
  part.f1 = harmonic(part.precision, part.recall);
  part.exact = own == wanted;
  return part;
}

void addPart(HotpotScore::Part& sum, const HotpotScore::Part& one) {
  sum.exact += one.exact;
  sum.f1 += one.f1;
  sum.precision += one.precision;
  sum.recall += one.recall;
}

void divide(HotpotScore::Part& sum, double count) {
  sum.exact /= count;
  sum.f1 /= count;
  sum.precision /= count;
  sum.recall /= count;
}

}  // namespace

HotpotScore hotpotScore(const HotpotGold& gold, const std::optional<std::string>& answer,
                        const std::optional<std::vector<SupportingFact>>& facts) {
  HotpotScore score;
  if (answer) score.answer = answerScore(gold.answer, *answer);
  if (facts) score.facts = factScore(gold.facts, *facts);
  if (!answer || !facts) return score;
  score.joint.precision = score.answer.precision * score.facts.precision;
  score.joint.recall = score.answer.recall * score.facts.recall;
  score.joint.f1 = harmonic(score.joint.precision, score.joint.recall);
  score.joint.exact = score.answer.exact * score.facts.exact;
  return score;
}

HotpotScore meanHotpotScore(const std::vector<HotpotScore>& scores) {
  // Divided once at the end, as the script does: all right is 1, not a sum of hundredths.
  HotpotScore mean;
  for (const HotpotScore& one : scores) {
    addPart(mean.answer, one.answer);
    addPart(mean.facts, one.facts);
    addPart(mean.joint, one.joint);
  }
  if (scores.empty()) return mean;
  for (HotpotScore::Part* part : {&mean.answer, &mean.facts, &mean.joint})
    divide(*part, static_cast<double>(scores.size()));
  return mean;
}

namespace {

bool hasNqAnswer(const NqAnnotation& one, bool shortAnswers) {
  return shortAnswers ? !one.shortAnswers.empty() || one.yesNo != "NONE" : one.longAnswer.has_value();
}

bool sameNqAnswer(const NqAnnotation& a, const NqAnnotation& b, bool shortAnswers) {
  if (!shortAnswers) return a.longAnswer == b.longAnswer;
  if (a.yesNo != "NONE" || b.yesNo != "NONE") return a.yesNo == b.yesNo;
  const std::set<WordRange> own(a.shortAnswers.begin(), a.shortAnswers.end()),
      other(b.shortAnswers.begin(), b.shortAnswers.end());
  return own == other;
}

}  // namespace

NqScore nqScore(const std::vector<std::vector<NqAnnotation>>& pages,
                const std::vector<NqPrediction>& predictions, bool shortAnswers) {
  constexpr std::ptrdiff_t kGoldAnnotations = 2;  // one where a page has no more, as in the training part
  NqScore score;
  std::vector<std::pair<double, bool>> kept;  // score and whether right
  for (std::size_t page = 0; page < pages.size() && page < predictions.size(); ++page) {
    const auto answered = [&](const NqAnnotation& one) { return hasNqAnswer(one, shortAnswers); };
    const auto annotations = static_cast<std::ptrdiff_t>(pages[page].size());
    const bool gold = std::count_if(pages[page].begin(), pages[page].end(), answered) >=
                      std::max<std::ptrdiff_t>(1, std::min(kGoldAnnotations, annotations));
    score.gold += gold;
    const NqPrediction& own = predictions[page];
    if (!answered(own.answer)) continue;
    const bool right = gold && std::any_of(pages[page].begin(), pages[page].end(), [&](const auto& one) {
                         return answered(one) && sameNqAnswer(one, own.answer, shortAnswers);
                       });
    kept.emplace_back(shortAnswers ? own.shortScore : own.longScore, right);
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  double right = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    right += kept[i].second;
    if (i + 1 < kept.size() && kept[i + 1].first == kept[i].first) continue;  // equal ones together
    const double precision = right / static_cast<double>(i + 1);
    const double recall = score.gold == 0 ? 0 : right / static_cast<double>(score.gold);
    const double f1 = harmonic(precision, recall);
    score.curve.push_back({kept[i].first, precision, recall, f1});
    if (f1 <= score.f1) continue;
    score.f1 = f1;
    score.precision = precision;
    score.recall = recall;
    score.threshold = kept[i].first;
  }
  return score;
}

PhraseScore phraseScore(const std::vector<std::string>& gold, const std::vector<std::string>& predictions) {
  std::vector<std::string> wanted;  // a few: looking at all is faster than a tree
  for (const std::string& phrase : gold) {
    std::string lower = toLowerCase(phrase);
    if (std::find(wanted.begin(), wanted.end(), lower) == wanted.end()) wanted.push_back(std::move(lower));
  }
  std::vector<std::string> lower;
  for (std::size_t i = 0; i < std::min(kPhraseDepths.back(), predictions.size()); ++i)
    lower.push_back(toLowerCase(predictions[i]));
  return phraseScore(phraseHits(wanted, lower), wanted.size());
}

PhraseHits phraseHits(const std::vector<std::string>& wanted, const std::vector<std::string>& predictions) {
  PhraseHits hits{};
  for (std::size_t i = 0; i < std::min(kPhraseDepths.back(), predictions.size()); ++i) {
    if (std::find(wanted.begin(), wanted.end(), predictions[i]) == wanted.end()) continue;
    for (std::size_t d = 0; d < hits.size(); ++d) hits[d] += i < kPhraseDepths[d];
  }
  return hits;
}

PhraseScore phraseScore(const PhraseHits& hits, std::size_t wanted) {
  PhraseScore score;
  for (std::size_t d = 0; d < hits.size(); ++d) {
    score.precision[d] = static_cast<double>(hits[d]) / static_cast<double>(kPhraseDepths[d]);
    score.recall[d] = wanted == 0 ? 0 : static_cast<double>(hits[d]) / static_cast<double>(wanted);
    score.f1[d] = harmonic(score.precision[d], score.recall[d]);
  }
  return score;
}

PhraseScore meanPhraseScore(const std::vector<PhraseScore>& scores) {
  PhraseScore mean;
  const auto count = static_cast<double>(scores.size());
  for (std::size_t d = 0; d < mean.f1.size() && !scores.empty(); ++d) {
    for (const PhraseScore& one : scores) {
      mean.precision[d] += one.precision[d];
      mean.recall[d] += one.recall[d];
      mean.f1[d] += one.f1[d];
    }
    mean.precision[d] /= count;
    mean.recall[d] /= count;
    mean.f1[d] /= count;
  }
  return mean;
}

}  // namespace fathom
