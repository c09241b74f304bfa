// SPDX-License-Identifier: Apache-2.0
// Jensen-Shannon divergence of every attention row from the row of the same head in the layer below
// (RealFormer Fig 6; docs/analyses.md §2).
#include "core/probe/attention_distributions.h"

namespace fathom {

ProbeEntry attentionJsdProbeEntry() {
  return attentionDistributionEntry(AttentionQuantity::Divergence);
}

}  // namespace fathom
