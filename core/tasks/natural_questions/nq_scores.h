// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/tasks/natural_questions/natural_questions_layout.h"

namespace fathom {

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

}  // namespace fathom
