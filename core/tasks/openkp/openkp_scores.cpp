// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/openkp/openkp_scores.h"

#include <algorithm>

#include "core/tasks/long_text/long_scores.h"
#include "core/text/lower_case.h"

namespace fathom {

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
    score.f1[d] = harmonicMean(score.precision[d], score.recall[d]);
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
