// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/attention_distribution.h"
#include "core/probe/attention_probe.h"
#include "core/probe/probe_entry.h"

namespace fathom {

// Streams the subject's data through an AttentionProbe and hands out one of its two quantities. A data error
// where the model has nothing of the kind, or the weights give values that are not numbers.
enum class AttentionQuantity { Entropy, Divergence };
Result<AttentionDistributions> attentionDistributions(const ProbeSubject& subject,
                                                      AttentionQuantity quantity);

}  // namespace fathom
