// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/tasks/long_text/hotpotqa_layout.h"
#include "core/tasks/long_text/natural_questions_layout.h"

namespace fathom {

// Share of the gold answers that are predicted exactly; a missing prediction is wrong.
double wikiHopAccuracy(const std::map<std::string, std::string>& gold,
                       const std::map<std::string, std::string>& predictions);

struct HotpotScore {
  struct Part {
    double exact = 0, f1 = 0, precision = 0, recall = 0;
  };
  Part answer, facts, joint;
};
struct HotpotGold {
  std::string answer;
  std::vector<SupportingFact> facts;
};
// Of one example, as the official script says (docs/long_inputs.md §5): yes, no and noanswer must be equal.
// What is missing counts 0 for its part and the joint one.
HotpotScore hotpotScore(const HotpotGold& gold, const std::optional<std::string>& answer,
                        const std::optional<std::vector<SupportingFact>>& facts);
// Mean of those; all 0 for none.
HotpotScore meanHotpotScore(const std::vector<HotpotScore>& scores);

struct NqPrediction {
  NqAnnotation answer;
  double longScore = 0, shortScore = 0;
};
struct NqScore {
  double f1 = 0, precision = 0, recall = 0;
  std::optional<double> threshold;           // none where no F1 is above 0
  std::int64_t gold = 0;                     // pages with an answer
  std::vector<std::array<double, 4>> curve;  // threshold, precision, recall, F1
};
// F1 of long or of short answers at the best threshold on the scores: gold where at least two annotations
// have an answer, right where it equals that of any.
NqScore nqScore(const std::vector<std::vector<NqAnnotation>>& pages,
                const std::vector<NqPrediction>& predictions, bool shortAnswers);

struct PhraseScore {
  std::array<double, 3> precision{}, recall{}, f1{};  // at 1, 3, 5
};
PhraseScore phraseScore(const std::vector<std::string>& gold, const std::vector<std::string>& predictions);
// The same in two steps: how many of the first 1, 3, 5 predictions are wanted, both in lower case and
// `wanted` without one twice; and what that is worth.
inline constexpr std::array<std::size_t, 3> kPhraseDepths = {1, 3, 5};
using PhraseHits = std::array<std::size_t, 3>;
PhraseHits phraseHits(const std::vector<std::string>& wanted, const std::vector<std::string>& predictions);
PhraseScore phraseScore(const PhraseHits& hits, std::size_t wanted);
PhraseScore meanPhraseScore(const std::vector<PhraseScore>& scores);

}  // namespace fathom
