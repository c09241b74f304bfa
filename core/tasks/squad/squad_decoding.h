// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/tasks/squad/squad_windows.h"

namespace fathom {

// Settings by which logits become texts (docs/fine_tuning.md §5.3).
struct SquadDecoding {
  bool version2 = false;
  std::int64_t nBest = 20, maxAnswer = 30;
  double threshold = 0;  // version 2.0: no answer above this difference
};

// Candidates of a window, from its logits: the best places of starts and ends, and those of the first token.
struct SquadCandidate {
  std::int64_t place = 0;
  double logit = 0;
};
struct SquadWindowScores {
  std::vector<SquadCandidate> starts, ends;  // the best first, of equals the lower place
  double nullStart = 0, nullEnd = 0;
};
SquadWindowScores squadWindowScores(std::span<const double> starts, std::span<const double> ends,
                                    std::int64_t nBest);

struct SquadGuess {
  std::string text;
  double startLogit = 0, endLogit = 0, probability = 0;
};
struct SquadDecoded {
  std::vector<SquadGuess> nBest;
  std::string text;                      // the answer
  std::optional<std::size_t> best;       // of nBest the first with a text
  double nullScore = 0;                  // version 2.0: least over the windows
  std::optional<double> nullDifference;  // nullScore less the best text's; none without a text
};
SquadDecoded decodeSquad(const SquadRows& rows, const std::vector<SquadWindowScores>& scores,
                         const SquadPassage& passage, const SquadDecoding& how, const TextEncoding& encoding);

Json squadGuessesJson(const std::vector<SquadGuess>& guesses);

}  // namespace fathom
