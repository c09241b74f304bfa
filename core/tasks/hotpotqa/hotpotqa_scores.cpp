// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/hotpotqa/hotpotqa_scores.h"

#include <algorithm>
#include <set>

#include "core/base/text/text_list.h"
#include "core/tasks/long_text/long_scores.h"
#include "core/text/answers/answer_match.h"

namespace fathom {

namespace {

// HotpotQA's script normalises as SQuAD's does.
std::vector<std::string> normalisedWords(const std::string& text) {
  std::vector<std::string> words;
  const std::string normal = normalizeAnswer(text);
  if (normal.empty()) return words;
  for (const std::string_view word : splitAt(normal, ' ')) words.emplace_back(word);
  return words;
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
  part.f1 = harmonicMean(part.precision, part.recall);
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
  part.f1 = harmonicMean(part.precision, part.recall);
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
  score.joint.f1 = harmonicMean(score.joint.precision, score.joint.recall);
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

}  // namespace fathom
