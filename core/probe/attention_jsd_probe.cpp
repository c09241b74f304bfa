// SPDX-License-Identifier: Apache-2.0
// Jensen-Shannon divergence of every attention row from the row of the same head in the layer below
// (RealFormer Fig 6; transformers.md §3.2).
#include "core/probe/attention_distributions.h"

namespace fathom {

ProbeEntry attentionJsdProbeEntry() {
  ProbeEntry entry;
  entry.id = "attention_jsd";
  entry.title = "Divergence of attention between layers";
  entry.reference = "RealFormer, Figure 6";
  entry.run = [](const ProbeSubject& subject, const OptionValues&) -> Result<Json> {
    FATHOM_TRY(AttentionDistributions result, attentionDistributions(subject, AttentionQuantity::Divergence));
    result.quantity = "attention_jsd";
    result.unit = "bits";
    return distributionsToJson(result);
  };
  return entry;
}

}  // namespace fathom
