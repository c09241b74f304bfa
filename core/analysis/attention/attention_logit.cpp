// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/attention/attention_logit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_distribution.h"

namespace fathom {

namespace {

// Several running maxima at once, so that the compiler uses lanes; what is not a number is never larger.
template <typename T>
T largestOfRow(std::span<const T> scores) {
  std::array<T, 8> most;
  most.fill(-std::numeric_limits<T>::infinity());
  std::size_t i = 0;
  for (; i + most.size() <= scores.size(); i += most.size())
    for (std::size_t lane = 0; lane < most.size(); ++lane)
      most[lane] = scores[i + lane] > most[lane] ? scores[i + lane] : most[lane];
  for (; i < scores.size(); ++i) most[0] = scores[i] > most[0] ? scores[i] : most[0];
  const T largest = *std::max_element(most.begin(), most.end());
  return static_cast<double>(largest) > kHiddenLogit ? largest : std::numeric_limits<T>::quiet_NaN();
}

// The largest logit of all heads of each layer: one head is enough to break a training.
Result<std::vector<LayerValue>> largestOfLayers(const Json& result, bool) {
  FATHOM_TRY(const AttentionDistributions distributions, distributionsFromJson(result));
  std::vector<LayerValue> values;
  for (const AttentionDistribution& attention : distributions.attentions)
    for (std::size_t layer = 0; layer < attention.heads.size(); ++layer) {
      double largest = std::numeric_limits<double>::quiet_NaN();
      for (const HeadDistribution& head : attention.heads[layer])
        largest = std::fmax(largest, head.values.fiveNumbers[4]);
      values.push_back(
          {attention.stack + "." + attention.kind, static_cast<int>(layer) + attention.firstLayer, largest});
    }
  return values;
}

}  // namespace

float largestLogit(std::span<const float> scores) {
  return largestOfRow(scores);
}
double largestLogit(std::span<const double> scores) {
  return largestOfRow(scores);
}

ValueHistogram logitHistogram() {
  return {-100, 100, 8000};
}

AnalysisEntry attentionLogitEntry() {
  return {.id = "attention_logit",
          .title = "Largest attention logit",
          .version = 1,
          .takesExamples = true,
          .layers = LayerNumbers{largestOfLayers, Phrase::tr("largest logit").english}};
}

}  // namespace fathom
