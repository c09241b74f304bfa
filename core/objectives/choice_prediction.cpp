// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/choice_prediction.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fathom {

Prediction choicePrediction(ExampleId example, std::span<const double> scores, Json details) {
  const auto best = std::max_element(scores.begin(), scores.end());
  std::vector<double> shares(scores.begin(), scores.end());
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share - *best);
  for (double& share : shares) share /= sum;
  Prediction prediction;
  prediction.example = example;
  prediction.ids = {best - scores.begin()};
  prediction.score = -std::log(sum);
  details["scores"] = std::vector<double>(scores.begin(), scores.end());
  details["probabilities"] = std::move(shares);
  prediction.details = std::move(details);
  return prediction;
}

}  // namespace fathom
