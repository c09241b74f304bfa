// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/attention_distribution.h"

#include <cmath>
#include <utility>

#include "core/analysis/json_reals.h"

namespace fathom {

namespace {

Json headToJson(const HeadDistribution& head) {
  const SampleDistribution& values = head.values;
  return {{"count", values.count},
          {"non_finite", values.nonFinite},
          {"five_numbers", realsToJson(values.fiveNumbers)},
          {"mean", jsonReal(values.mean)},
          {"variance", jsonReal(values.variance)},
          {"bandwidth", jsonReal(head.violin.bandwidth)},
          {"grid", realsToJson(head.violin.grid)},
          {"density", realsToJson(head.violin.density)}};
}

HeadDistribution headFromJson(const Json& json) {
  HeadDistribution head;
  head.values.count = json.at("count").get<std::int64_t>();
  head.values.nonFinite = json.at("non_finite").get<std::int64_t>();
  for (std::size_t i = 0; i < head.values.fiveNumbers.size(); ++i)
    head.values.fiveNumbers[i] = realFromJson(json.at("five_numbers").at(i)).value();
  head.values.mean = realFromJson(json.at("mean")).value();
  head.values.variance = realFromJson(json.at("variance")).value();
  head.violin.bandwidth = realFromJson(json.at("bandwidth")).value();
  head.violin.grid = realsFromJson(json.at("grid"));
  head.violin.density = realsFromJson(json.at("density"));
  return head;
}

AttentionDistribution attentionFromJson(const Json& json) {
  AttentionDistribution attention;
  attention.stack = json.at("stack").get<std::string>();
  attention.kind = json.at("kind").get<std::string>();
  attention.firstLayer = json.at("first_layer").get<int>();
  for (const Json& layer : json.at("layers")) {
    attention.heads.emplace_back();
    for (const Json& head : layer) attention.heads.back().push_back(headFromJson(head));
  }
  return attention;
}

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

int colourClass(double median, double low, double high) {
  return median < low ? 0 : median > high ? 2 : 1;
}

Json distributionsToJson(const AttentionDistributions& distributions) {
  Json attentions = Json::array();
  for (const AttentionDistribution& attention : distributions.attentions) {
    Json layers = Json::array();
    for (const auto& heads : attention.heads) {
      Json row = Json::array();
      for (const HeadDistribution& head : heads) row.push_back(headToJson(head));
      layers.push_back(std::move(row));
    }
    attentions.push_back({{"stack", attention.stack},
                          {"kind", attention.kind},
                          {"first_layer", attention.firstLayer},
                          {"layers", std::move(layers)}});
  }
  return {{"quantity", distributions.quantity},
          {"unit", distributions.unit},
          {"examples", distributions.examples},
          {"tokens", distributions.tokens},
          {"attentions", std::move(attentions)}};
}

Result<AttentionDistributions> distributionsFromJson(const Json& json) {
  try {
    AttentionDistributions distributions;
    distributions.quantity = json.at("quantity").get<std::string>();
    distributions.unit = json.at("unit").get<std::string>();
    distributions.examples = json.at("examples").get<std::int64_t>();
    distributions.tokens = json.at("tokens").get<std::int64_t>();
    for (const Json& attention : json.at("attentions"))
      distributions.attentions.push_back(attentionFromJson(attention));
    return distributions;
  } catch (const std::exception& e) {
    return dataError(Phrase::tr("the stored distributions of attention cannot be read: %1")(e.what()),
                     Phrase::tr("compute the analysis again"));
  }
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
