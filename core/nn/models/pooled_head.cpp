// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/pooled_head.h"

#include "core/base/errors/word_table.h"
#include "core/base/options/field_builder.h"
#include "core/nn/dropout.h"
#include "core/nn/models/encoder_model.h"

namespace fathom {

namespace {

constexpr EnumWord<HeadInput> kHeadInputs[] = {{HeadInput::Pooled, "pooled", "The pooled vector"},
                                               {HeadInput::First, "first", "The first token"}};

}  // namespace

OptionField headInputField(const std::string& prefix) {
  return choiceField(prefix + ".head_input", "What the head reads",
                     "Heads for classes and for choices: the pooled vector (BERT), or the state of the first "
                     "token as it is, without a pooler (DT-Fixup on ReClor).",
                     choicesOf(kHeadInputs))
      .reference("BERT §3; DT-Fixup App. D");
}

PooledHead::PooledHead(const HeadSite& site, const std::string& name, std::int64_t out)
    : m_input(valueOf(kHeadInputs, site.options.text(site.prefix + ".head_input"))),
      m_dropout(site.dropout),
      m_map(headMap(site.store, name, out, site.width)) {}

torch::Tensor PooledHead::logits(const EncoderModel& model, const torch::Tensor& hidden,
                                 const StepContext& context) const {
  const torch::Tensor whole = m_input == HeadInput::Pooled ? model.pooled(hidden) : hidden.select(1, 0);
  return m_map(fathom::dropout(whole, m_dropout, context, "task_head"));
}

bool readsPooledAlone(const HeadEntry& head) {
  return head.reads.size() == 1 && head.readsAny(Representation::Pooled);
}

bool needsPooler(const HeadEntry& head, const OptionValues& options, const std::string& prefix) {
  if (!head.readsAny(Representation::Pooled)) return false;
  return !readsPooledAlone(head) ||
         valueOf(kHeadInputs, options.text(prefix + ".head_input")) == HeadInput::Pooled;
}

}  // namespace fathom
