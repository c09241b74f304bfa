// SPDX-License-Identifier: Apache-2.0
// Entropy of every attention row, per layer and head (RealFormer Figs 4, 5; transformers.md §3.1).
#include "core/probe/attention_distributions.h"

namespace fathom {

ProbeEntry attentionEntropyProbeEntry() {
  ProbeEntry entry;
  entry.id = "attention_entropy";
  entry.title = "Attention entropy";
  entry.reference = "RealFormer, Figures 4 and 5";
  entry.run = [](const ProbeSubject& subject, const OptionValues&) -> Result<Json> {
    FATHOM_TRY(AttentionDistributions result, attentionDistributions(subject, AttentionQuantity::Entropy));
    result.quantity = "attention_entropy";
    result.unit = "nats";
    return distributionsToJson(result);
  };
  return entry;
}

}  // namespace fathom
