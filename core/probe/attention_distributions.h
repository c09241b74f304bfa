// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/probe/attention_probe.h"
#include "core/probe/probe_entry.h"

namespace fathom {

enum class AttentionQuantity { Entropy, Divergence };

// The entry of one of the two quantities of AttentionProbe, attention_entropy or attention_jsd: streams the
// subject's data through it, once for both where both are asked for. A data error where the model has nothing
// of the kind, or the weights give values that are not numbers.
ProbeEntry attentionDistributionEntry(AttentionQuantity quantity);

}  // namespace fathom
