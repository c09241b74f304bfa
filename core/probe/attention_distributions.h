// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/probe/attention_probe.h"
#include "core/probe/probe_entry.h"

namespace fathom {

enum class AttentionQuantity { Entropy, Divergence, Logit };

// The entry of one of the quantities of AttentionProbe, attention_entropy, attention_jsd or attention_logit:
// streams the subject's data through it, once for all that are asked for; logits alone are cheaper. A data
// error where the model has nothing of the kind, or the weights give values that are not numbers.
ProbeEntry attentionDistributionEntry(AttentionQuantity quantity);

}  // namespace fathom
