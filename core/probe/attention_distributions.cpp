// SPDX-License-Identifier: Apache-2.0
#include "core/probe/attention_distributions.h"

#include <algorithm>

#include "core/analysis/attention/attention_distribution.h"
#include "core/base/errors/phrase.h"
#include "core/probe/attention_probe.h"

namespace fathom {

namespace {

constexpr const char *kEntropyId = "attention_entropy", *kDivergenceId = "attention_jsd",
                     *kLogitId = "attention_logit";

const char* idOf(AttentionQuantity quantity) {
  if (quantity == AttentionQuantity::Logit) return kLogitId;
  return quantity == AttentionQuantity::Entropy ? kEntropyId : kDivergenceId;
}

AttentionQuantity quantityOf(const std::string& id) {
  if (id == kLogitId) return AttentionQuantity::Logit;
  return id == kEntropyId ? AttentionQuantity::Entropy : AttentionQuantity::Divergence;
}

const char* unitOf(AttentionQuantity quantity) {
  if (quantity == AttentionQuantity::Logit) return "logit";
  return quantity == AttentionQuantity::Entropy ? "nats" : "bits";
}

const std::vector<std::vector<ValueHistogram>>& valuesOf(const AttentionStatistics& statistics,
                                                         AttentionQuantity quantity) {
  if (quantity == AttentionQuantity::Logit) return statistics.logits;
  return quantity == AttentionQuantity::Entropy ? statistics.entropyNats : statistics.jsdBits;
}

// NaN weights give NaN attention: such a result would look like an empty figure.
Status checkFinite(const AttentionDistribution& attention) {
  for (std::size_t layer = 0; layer < attention.heads.size(); ++layer) {
    for (std::size_t head = 0; head < attention.heads[layer].size(); ++head) {
      const SampleDistribution& values = attention.heads[layer][head].values;
      if (values.count > 0 || values.nonFinite == 0) continue;
      return dataError(
          Phrase::tr("%1 layer %2, head %3 of %4 gives no number at all (NaN weights?)")(
              attention.stack, static_cast<int>(layer) + attention.firstLayer + 1, head + 1, attention.kind),
          Phrase::tr("choose an earlier checkpoint"));
    }
  }
  return {};
}

// Result for one quantity, from the values that the pass has collected.
Result<Json> resultOf(const AttentionProbe& probe, std::int64_t examples, AttentionQuantity quantity) {
  const bool divergence = quantity == AttentionQuantity::Divergence;
  AttentionDistributions result;
  result.quantity = idOf(quantity);
  result.unit = unitOf(quantity);
  result.examples = examples;
  for (const AttentionStatistics& statistics : probe.statistics()) {
    AttentionDistribution attention =
        distributionOf(stackName(statistics.stack), sublayerName(statistics.kind), divergence ? 1 : 0,
                       valuesOf(statistics, quantity));
    FATHOM_CHECK(checkFinite(attention));
    // A stack of one layer has no layer below.
    if (!attention.heads.empty()) result.attentions.push_back(std::move(attention));
  }
  if (result.attentions.empty()) {
    return divergence ? dataError(Phrase::tr("no stack of the model has two layers of attention to compare"))
                      : dataError(Phrase::tr("the model has no attention to look at"));
  }
  const auto& first = result.attentions.front().heads.front().front().values;
  result.tokens = first.count + first.nonFinite;
  if (result.tokens == 0)
    return dataError(Phrase::tr("no example has a token to look at: every row is padding"),
                     Phrase::tr("choose another part of the data"));
  return distributionsToJson(result);
}

std::vector<Result<Json>> runTogether(const ProbeSubject& subject, const OptionValues&,
                                      const std::vector<std::string>& ids) {
  const auto asked = [&ids](const char* id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
  AttentionProbe probe(subject.longest, {.entropies = asked(kEntropyId) || asked(kDivergenceId),
                                         .divergences = asked(kDivergenceId),
                                         .logits = asked(kLogitId)});
  const std::int64_t examples =
      forProbeBatches(subject, Phrase::tr("watching attention").english, [&](const ProbeBatch& batch) {
        probe.setMasks(batch.realTokens);
        probe.run(batch.forward, {.seed = subject.seed});
      });
  std::vector<Result<Json>> results;
  for (const std::string& id : ids) results.push_back(resultOf(probe, examples, quantityOf(id)));
  return results;
}

}  // namespace

ProbeEntry attentionDistributionEntry(AttentionQuantity quantity) {
  const std::string id = idOf(quantity);
  // Logits alone need no softmax, and so no pass with the others.
  const std::vector<std::string> together = quantity == AttentionQuantity::Logit
                                                ? std::vector<std::string>{kLogitId}
                                                : std::vector<std::string>{kEntropyId, kDivergenceId};
  return {analysisOf(id),
          {.fields = exampleFields(ProbeExamples::Chosen),
           .run = [id](const ProbeSubject& subject,
                       const OptionValues& options) { return runTogether(subject, options, {id}).front(); },
           .together = together,
           .runTogether = runTogether}};
}

}  // namespace fathom
