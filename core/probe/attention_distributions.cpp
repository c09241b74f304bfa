// SPDX-License-Identifier: Apache-2.0
#include "core/probe/attention_distributions.h"

#include "core/analysis/attention_distribution.h"
#include "core/probe/attention_probe.h"

namespace fathom {

namespace {

AttentionDistribution distributionOf(const AttentionStatistics& statistics, AttentionQuantity quantity) {
  const bool entropy = quantity == AttentionQuantity::Entropy;
  AttentionDistribution attention;
  attention.stack = stackName(statistics.stack);
  attention.kind = sublayerName(statistics.kind);
  attention.firstLayer = entropy ? 0 : 1;
  for (const auto& heads : entropy ? statistics.entropyNats : statistics.jsdBits) {
    attention.heads.emplace_back();
    for (const ValueHistogram& head : heads)
      attention.heads.back().push_back({head.summary(), head.violin()});
  }
  return attention;
}

// NaN weights give NaN attention: such a result would look like an empty figure.
Status checkFinite(const AttentionDistribution& attention) {
  for (std::size_t layer = 0; layer < attention.heads.size(); ++layer) {
    for (std::size_t head = 0; head < attention.heads[layer].size(); ++head) {
      const SampleDistribution& values = attention.heads[layer][head].values;
      if (values.count > 0 || values.nonFinite == 0) continue;
      return dataError(attention.stack + " layer " +
                           std::to_string(static_cast<int>(layer) + attention.firstLayer + 1) + ", head " +
                           std::to_string(head + 1) + " of " + attention.kind +
                           " gives no number at all (NaN weights?)",
                       "choose an earlier checkpoint");
    }
  }
  return {};
}

Result<AttentionDistributions> attentionDistributions(const ProbeSubject& subject,
                                                      AttentionQuantity quantity) {
  AttentionProbe probe(subject.longest);
  AttentionDistributions result;
  result.examples = forProbeBatches(subject, "watching attention", [&](const ProbeBatch& batch) {
    probe.setMasks(batch.realTokens);
    probe.run(batch.forward, {.seed = subject.seed});
  });
  for (const AttentionStatistics& statistics : probe.statistics()) {
    AttentionDistribution attention = distributionOf(statistics, quantity);
    FATHOM_CHECK(checkFinite(attention));
    // A stack of one layer has no layer below.
    if (!attention.heads.empty()) result.attentions.push_back(std::move(attention));
  }
  if (result.attentions.empty()) {
    return quantity == AttentionQuantity::Entropy
               ? dataError("the model has no attention to look at")
               : dataError("no stack of the model has two layers of attention to compare");
  }
  const auto& first = result.attentions.front().heads.front().front().values;
  result.tokens = first.count + first.nonFinite;
  if (result.tokens == 0)
    return dataError("no example has a token to look at: every row is padding",
                     "choose another part of the data");
  return result;
}

}  // namespace

ProbeEntry attentionDistributionEntry(AttentionQuantity quantity, const char* id, const char* title,
                                      const char* reference) {
  ProbeEntry entry;
  entry.id = id;
  entry.title = title;
  entry.reference = reference;
  entry.fields = exampleFields(ProbeExamples::Chosen);
  entry.run = [quantity, id](const ProbeSubject& subject, const OptionValues&) -> Result<Json> {
    FATHOM_TRY(AttentionDistributions result, attentionDistributions(subject, quantity));
    result.quantity = id;
    result.unit = quantity == AttentionQuantity::Entropy ? "nats" : "bits";
    return distributionsToJson(result);
  };
  return entry;
}

}  // namespace fathom
