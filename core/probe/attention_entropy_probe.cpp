// SPDX-License-Identifier: Apache-2.0
// Entropy of every attention row, per layer and head (RealFormer Figs 4, 5; docs/analyses.md §1).
#include "core/probe/attention_distributions.h"

namespace fathom {

ProbeEntry attentionEntropyProbeEntry() {
  return attentionDistributionEntry(AttentionQuantity::Entropy);
}

}  // namespace fathom
