// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/statistics/sample_distribution.h"
#include "core/analysis/statistics/value_histogram.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// One quantity of one head over all real query tokens of a data set.
struct HeadDistribution {
  SampleDistribution values;
  ViolinShape violin;
};

// Entropy or divergence of every layer and head of one kind of attention of one stack (RealFormer Figs 4-6).
struct AttentionDistribution {
  std::string stack, kind;                           // "encoder", "self_attention"
  int firstLayer = 0;                                // 0-based layer of heads[0]; 1 for divergences
  std::vector<std::vector<HeadDistribution>> heads;  // [layer - firstLayer][head], original order
};

// Empty histograms for the values of one head: entropies (nats) of rows of up to `longestKeys` keys, and
// divergences (bits).
ValueHistogram entropyHistogram(std::int64_t longestKeys);
ValueHistogram divergenceHistogram();

// Histograms [layer - firstLayer][head], filled, as a distribution.
AttentionDistribution distributionOf(std::string stack, std::string kind, int firstLayer,
                                     const std::vector<std::vector<ValueHistogram>>& histograms);

// 0: below `low`, 2: above `high`, 1: between them (kLowEntropy, kHighEntropy and their kin).
int colourClass(double median, double low, double high);

// A stored result: all attentions of a model. `unit`: "nats", "bits".
struct AttentionDistributions {
  std::string quantity, unit;
  std::int64_t examples = 0, tokens = 0;  // real query tokens of the first attention
  std::vector<AttentionDistribution> attentions;
};

// {"quantity","unit","examples","tokens","attentions":[{"stack","kind","first_layer","layers":[[{"count",
// "non_finite","five_numbers","mean","variance","bandwidth","grid","density"}]]}]}
Json distributionsToJson(const AttentionDistributions& distributions);
Result<AttentionDistributions> distributionsFromJson(const Json& json);

// Mean of the heads' means of each layer, or the median of their medians; heads without a number are left
// out.
Result<std::vector<LayerValue>> distributionLayers(const Json& result, bool median);

}  // namespace fathom
