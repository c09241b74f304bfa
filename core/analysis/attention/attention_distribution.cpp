// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/attention/attention_distribution.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/json/json_fields.h"

namespace fathom {

template <typename Io>
void jsonMembers(Io& io, HeadDistribution& head) {
  io("count", head.values.count)("non_finite", head.values.nonFinite);
  io("five_numbers", head.values.fiveNumbers)("mean", head.values.mean)("variance", head.values.variance);
  io("bandwidth", head.violin.bandwidth)("grid", head.violin.grid)("density", head.violin.density);
}

template <typename Io>
void jsonMembers(Io& io, AttentionDistribution& attention) {
  io("stack", attention.stack)("kind", attention.kind)("first_layer", attention.firstLayer);
  io("layers", attention.heads);
}

template <typename Io>
void jsonMembers(Io& io, AttentionDistributions& all) {
  io("quantity", all.quantity)("unit", all.unit)("examples", all.examples)("tokens", all.tokens);
  io("attentions", all.attentions);
}

namespace {

double overHeads(const std::vector<HeadDistribution>& heads, bool median) {
  std::vector<double> values;
  for (const HeadDistribution& head : heads) {
    const double value = median ? head.values.median() : head.values.mean;
    if (head.values.count > 0 && std::isfinite(value)) values.push_back(value);
  }
  const SampleDistribution all = summariseSamples(values);
  return median ? all.median() : all.mean;
}

}  // namespace

ValueHistogram entropyHistogram(std::int64_t longestKeys) {
  return {0, std::log(static_cast<double>(std::max<std::int64_t>(longestKeys, 2)))};
}

ValueHistogram divergenceHistogram() {
  return {0, 1};
}

AttentionDistribution distributionOf(std::string stack, std::string kind, int firstLayer,
                                     const std::vector<std::vector<ValueHistogram>>& histograms) {
  AttentionDistribution attention{std::move(stack), std::move(kind), firstLayer, {}};
  for (const auto& heads : histograms) {
    attention.heads.emplace_back();
    for (const ValueHistogram& head : heads)
      attention.heads.back().push_back({head.summary(), head.violin()});
  }
  return attention;
}

int colourClass(double median, double low, double high) {
  return median < low ? 0 : median > high ? 2 : 1;
}

Json distributionsToJson(const AttentionDistributions& distributions) {
  return jsonOf(distributions);
}

Result<AttentionDistributions> distributionsFromJson(const Json& json) {
  return storedFromJson<AttentionDistributions>(
      json, Phrase::tr("the stored distributions of attention cannot be read: %1"),
      Phrase::tr("compute the analysis again"));
}

Result<std::vector<LayerValue>> distributionLayers(const Json& result, bool median) {
  FATHOM_TRY(const AttentionDistributions distributions, distributionsFromJson(result));
  std::vector<LayerValue> values;
  for (const AttentionDistribution& attention : distributions.attentions)
    for (std::size_t layer = 0; layer < attention.heads.size(); ++layer)
      values.push_back({attention.stack + "." + attention.kind,
                        static_cast<int>(layer) + attention.firstLayer,
                        overHeads(attention.heads[layer], median)});
  return values;
}

}  // namespace fathom
