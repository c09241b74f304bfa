// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/attention.h"

#include <limits>

#include "core/base/error.h"
#include "core/nn/field_builder.h"

namespace fathom {

namespace {
// The additive form of styles that have one.
void addForm(AttentionMask& mask, const torch::TensorOptions& tensors) {
  if (!mask.blocked.defined() || mask.style == MaskStyle::SetMinus1e9) return;
  const double blockedValue =
      mask.style == MaskStyle::AddMinus10000 ? -10000.0 : -std::numeric_limits<double>::infinity();
  mask.additive = at::zeros(mask.blocked.sizes(), tensors).masked_fill_(mask.blocked, blockedValue);
}
}  // namespace

AttentionMask makeAttentionMask(const torch::Tensor& keyPadding, bool causal, std::int64_t length,
                                MaskStyle style, const torch::TensorOptions& tensors) {
  AttentionMask mask;
  mask.style = style;
  if (keyPadding.defined()) mask.blocked = keyPadding.unsqueeze(1).unsqueeze(1);
  if (causal) {
    const torch::Tensor triangle =
        at::ones({length, length}, tensors.dtype(torch::kBool)).triu_(1).unsqueeze(0).unsqueeze(0);
    mask.causal = !mask.blocked.defined();
    mask.blocked = mask.blocked.defined() ? at::logical_or(mask.blocked, triangle) : triangle;
  }
  addForm(mask, tensors);
  return mask;
}

AttentionMask makePairMask(const torch::Tensor& padding, MaskStyle style,
                           const torch::TensorOptions& tensors) {
  AttentionMask mask;
  mask.style = style;
  mask.blocked = at::logical_or(padding.unsqueeze(1).unsqueeze(3), padding.unsqueeze(1).unsqueeze(1));
  addForm(mask, tensors);
  return mask;
}

const AttentionEntry& attentionEntry(std::string_view id) {
  std::string known;
  for (const AttentionEntry& entry : attentionEntries()) {
    if (entry.id == id) return entry;
    known += (known.empty() ? "" : ", ") + entry.id;
  }
  throw Failure(usageError("unknown attention '" + std::string(id) + "'", "known kinds: " + known));
}

std::vector<OptionField> attentionOptionFields(const std::string& prefix, const std::string& title,
                                               bool relations) {
  std::vector<OptionChoice> choices;
  std::vector<OptionField> fields;
  for (const AttentionEntry& entry : attentionEntries()) {
    if (entry.relations && !relations) continue;
    choices.push_back({entry.id, entry.title});
    for (OptionField& field : entry.fields(prefix)) {
      field.enabledWhen.push_back({prefix + ".attention", OptionClause::Test::In, {Json(entry.id)}});
      fields.push_back(std::move(field));
    }
  }
  fields.insert(fields.begin(), FieldBuilder(prefix + ".attention", OptionType::Choice, choices[0].id)
                                    .title(title)
                                    .help("What a query compares with keys.")
                                    .choices(choices)
                                    .group("Attention"));
  return fields;
}

}  // namespace fathom
