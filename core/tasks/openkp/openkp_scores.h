// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

namespace fathom {

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
