// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/nn/models/transformer_stack.h"

namespace fathom {

// "encoder.layers", "encoder.residual", "encoder.attention", "encoder.self_attention.score_chain" (and
// cross_attention for decoders): the options of one stack.
std::vector<OptionField> stackOptionFields(StackKind kind);
// "model.width", "model.heads", "model.feed_forward", "model.activation", dropouts: what all stacks share.
std::vector<OptionField> sharedOptionFields();
std::vector<OptionRule> sharedOptionRules();
// Only the depth of `kind` itself is set in setup.
StackConfiguration stackConfiguration(const OptionValues& options, StackKind kind);

}  // namespace fathom
