// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/attention.h"

#include <algorithm>
#include <limits>

#include "core/base/errors/error.h"
#include "core/base/options/entry_table.h"
#include "core/base/options/field_builder.h"
#include "core/kernels/kernel_way.h"
#include "core/nn/on_host.h"

namespace fathom {

namespace {
// The kernels of a device want rows that begin at whole 16 entries, or copy the mask each time; mixed
// precision would make a copy of each, too, whose rows begin elsewhere.
torch::Tensor alignedForm(const AttentionMask& mask, const torch::TensorOptions& tensors, double blocked) {
  const auto mixed = mixedFormat(tensors.device());
  const auto format = mixed ? tensors.dtype(*mixed) : tensors;
  std::vector<std::int64_t> shape = mask.blocked.sizes().vec();
  const std::int64_t keys = shape.back();
  shape.back() = (keys + 15) / 16 * 16;
  return at::zeros(shape, format).narrow(-1, 0, keys).masked_fill_(mask.blocked, blocked);
}

// The additive form of styles that have one.
void addForm(AttentionMask& mask, const torch::TensorOptions& tensors) {
  if (!mask.blocked.defined() || mask.style == MaskStyle::SetMinus1e9) return;
  const double blocked =
      mask.style == MaskStyle::AddMinus10000 ? -10000.0 : -std::numeric_limits<double>::infinity();
  if (!isOnHost(mask.blocked)) mask.aligned = alignedForm(mask, tensors, blocked);
  mask.additive = mask.aligned.defined() && mask.aligned.dtype() == tensors.dtype()
                      ? mask.aligned
                      : at::zeros(mask.blocked.sizes(), tensors).masked_fill_(mask.blocked, blocked);
}
}  // namespace

torch::Tensor sequenceSpans(const torch::Tensor& padding) {
  if (!isOnHost(padding)) return {};
  const std::int64_t batch = padding.size(0), length = padding.size(1);
  const torch::Tensor dense = padding.contiguous();
  const bool* pads = dense.const_data_ptr<bool>();
  torch::Tensor spans = at::empty({batch, 2}, torch::kInt64);
  auto span = spans.accessor<std::int64_t, 2>();
  for (std::int64_t b = 0; b < batch; ++b) {
    const bool* row = pads + b * length;
    const bool* first = std::find(row, row + length, false);
    const bool* end = std::find(first, row + length, true);
    if (std::find(end, row + length, false) != row + length) return {};
    span[b][0] = first - pads;
    span[b][1] = end - first;
  }
  return spans;
}

torch::Tensor wholeSpans(std::int64_t batch, std::int64_t length) {
  torch::Tensor spans = at::empty({batch, 2}, torch::kInt64);
  auto span = spans.accessor<std::int64_t, 2>();
  for (std::int64_t b = 0; b < batch; ++b) {
    span[b][0] = b * length;
    span[b][1] = length;
  }
  return spans;
}

AttentionMask makeAttentionMask(const torch::Tensor& keyPadding, bool causal, std::int64_t length,
                                MaskStyle style, const torch::TensorOptions& tensors) {
  AttentionMask mask;
  mask.style = style;
  mask.triangle = causal;
  mask.padded = keyPadding.defined();
  if (mask.padded) {
    mask.blocked = keyPadding.unsqueeze(1).unsqueeze(1);
    mask.keySpans = sequenceSpans(keyPadding);
  }
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
  mask.padded = true;
  mask.blocked = at::logical_or(padding.unsqueeze(1).unsqueeze(3), padding.unsqueeze(1).unsqueeze(1));
  addForm(mask, tensors);
  return mask;
}

const AttentionEntry& attentionEntry(std::string_view id) {
  if (const AttentionEntry* entry = findEntry(attentionEntries(), id)) return *entry;
  throw Failure(usageError(Phrase::tr("unknown attention '%1'")(std::string(id)),
                           Phrase::tr("known kinds: %1")(knownIds(attentionEntries()))));
}

std::vector<OptionField> attentionOptionFields(const std::string& prefix, const std::string& title) {
  const std::string key = prefix + ".attention";
  std::vector<AttentionEntry> entries = attentionEntries();
  if (prefix != stackName(StackKind::Encoder))
    std::erase_if(entries, [](const AttentionEntry& entry) { return entry.twoStreams; });
  return joinedFields({{choiceField(key, title, "What a query compares with keys.", entryChoices(entries))
                            .group("Attention")},
                       entryFields(attentionEntries(), key,
                                   [&](const AttentionEntry& entry) { return entry.fields(prefix); })});
}

}  // namespace fathom
