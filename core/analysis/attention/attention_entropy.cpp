// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/attention/attention_entropy.h"

#include <cmath>
#include <numbers>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_distribution.h"

namespace fathom {

namespace {
template <typename T>
double rowEntropy(std::span<const T> probabilities) {
  double sum = 0;
  for (const T value : probabilities) {
    const auto p = static_cast<double>(value);
    if (p != 0) sum -= p * std::log(p);  // NaN stays NaN
  }
  return sum;
}
}  // namespace

double attentionEntropy(std::span<const double> probabilities) {
  return rowEntropy(probabilities);
}
double attentionEntropy(std::span<const float> probabilities) {
  return rowEntropy(probabilities);
}
double natsToBits(double nats) {
  return nats / std::numbers::ln2;
}

AnalysisEntry attentionEntropyEntry() {
  return {.id = "attention_entropy",
          .title = "Attention entropy",
          .reference = "RealFormer, Figures 4 and 5",
          .version = 3,  // a random sample instead of the first examples, which are the shortest
          .takesExamples = true,
          .layers = LayerNumbers{distributionLayers, Phrase::tr("entropy (nats)").english, true}};
}

}  // namespace fathom
