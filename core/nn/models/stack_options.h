// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/option_field.h"
#include "core/nn/transformer_stack.h"

namespace fathom {

// "encoder.layers", "encoder.residual", "encoder.attention", "encoder.self_attention.score_chain" (and
// cross_attention for decoders): the options of one stack.
// `relations`: some model gives this stack relation ids, so that attentions which need them are offered.
std::vector<OptionField> stackOptionFields(StackKind kind, bool relations);
// "model.width", "model.heads", "model.feed_forward", "model.activation", dropouts: what all stacks share.
std::vector<OptionField> sharedOptionFields();
std::vector<OptionRule> sharedOptionRules();
// Only the depth of `kind` itself is set in setup.
StackConfiguration stackConfiguration(const OptionValues& options, StackKind kind);

}  // namespace fathom
