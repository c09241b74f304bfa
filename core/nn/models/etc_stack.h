// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <array>
#include <memory>
#include <vector>

#include "core/nn/attention/global_local.h"
#include "core/nn/models/feed_forward.h"
#include "core/nn/models/model.h"
#include "core/nn/models/transformer_stack.h"

namespace fathom {

// The layers of an encoder of two streams (docs/long_inputs.md §2): both read the values from before a layer,
// then both feed-forward branches follow. Query, key, value and feed-forward maps serve both; each stream has
// a residual scheme of its own, of one kind. The long stream is the stack "encoder", the global one "global":
// for observers they are two stacks.
class EtcStack {
 public:
  // The configuration of the long stream.
  EtcStack(ParameterStore& store, const StackConfiguration& configuration, const GlobalLocalRules& rules,
           const OptionValues& options);
  GlobalLocal::Streams forward(const GlobalLocal::Streams& streams, const LongStructure& structure,
                               const StepContext& context) const;
  ResidualScheme& residual(StackKind stack) const { return stack == StackKind::Global ? *m_global : *m_long; }
  std::vector<StackDescription> descriptions() const;

 private:
  StackConfiguration m_configuration;
  std::unique_ptr<ResidualScheme> m_long, m_global;
  std::vector<GlobalLocal> m_attentions;    // by layer
  std::vector<FeedForward> m_feedForwards;  // by layer
};

}  // namespace fathom
