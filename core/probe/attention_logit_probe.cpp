// SPDX-License-Identifier: Apache-2.0
#include "core/probe/attention_distributions.h"

namespace fathom {

ProbeEntry attentionLogitProbeEntry() {
  return attentionDistributionEntry(AttentionQuantity::Logit);
}

}  // namespace fathom
