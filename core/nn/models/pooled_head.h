// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/nn/models/head.h"

namespace fathom {

// What a head for whole texts reads: the pooled vector (BERT), or the state of the first token.
enum class HeadInput { Pooled, First };
OptionField headInputField(const std::string& prefix);  // "<prefix>.head_input"

// A dense map of one vector a text, behind dropout: [B, out]. Parameters "<name>.…".
class PooledHead final : public TextHead {
 public:
  PooledHead(const HeadSite& site, const std::string& name, std::int64_t out);
  torch::Tensor logits(const EncoderModel& model, const torch::Tensor& hidden,
                       const StepContext& context) const override;

 private:
  HeadInput m_input;
  double m_dropout;
  HeadMap m_map;
};

// Whether `head` reads one vector a text and no other state.
bool readsPooledAlone(const HeadEntry& head);
// True if the head needs a pooler under these options.
bool needsPooler(const HeadEntry& head, const OptionValues& options, const std::string& prefix);

}  // namespace fathom
