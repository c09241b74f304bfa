// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/engine/bench/bench_pairs.h"

namespace fathom {

// SQuAD's evaluation (docs/fine_tuning.md §5.4) of questions made by rules: passages' words with capitals,
// signs, articles and accents, one to five reference answers, a third of the questions without one,
// predictions right, cut, too long, wrong or empty. Against squad_evaluate of transformers on one thread:
// exact match, F1 and best thresholds are equal first.
struct SquadScoreBench {
  BenchSettings settings;
  std::int64_t questions = 10570;  // of SQuAD 1.1's development part
  double unanswerable = 1.0 / 3;   // share; 0: version 1.1
};
Status benchSquadScore(const SquadScoreBench& bench);

}  // namespace fathom
