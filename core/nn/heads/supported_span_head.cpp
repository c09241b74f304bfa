// SPDX-License-Identifier: Apache-2.0
#include "core/nn/heads/etc_heads.h"

namespace fathom {

HotpotHead::HotpotHead(ParameterStore& store, std::int64_t width)
    : m_supporting(headMap(store, "head.supporting", 1, width)),
      m_type(headMap(store, "head.answer_type", 3, width)),
      m_span(headMap(store, "head.answer_span", 2, width)) {}

HotpotHeadLogits HotpotHead::logits(const torch::Tensor& longs, const torch::Tensor& globals) const {
  const torch::Tensor ends = m_span(longs);
  return {m_supporting(globals).squeeze(-1), m_type(globals.select(1, 0)), ends.select(2, 0),
          ends.select(2, 1)};
}

namespace {

constexpr double kNoPlace = -10000;

}  // namespace

torch::Tensor placeLoss(const torch::Tensor& logits, const torch::Tensor& targets,
                        const torch::Tensor& hidden) {
  const torch::Tensor seen = hidden.defined() ? logits.masked_fill(hidden, kNoPlace) : logits;
  return -seen.log_softmax(1).gather(1, targets.unsqueeze(1)).mean();
}

torch::Tensor supportLoss(const torch::Tensor& logits, const torch::Tensor& targets,
                          const torch::Tensor& hidden) {
  torch::Tensor each = at::binary_cross_entropy_with_logits(logits, targets.to(logits.scalar_type()), {}, {},
                                                            at::Reduction::None);
  if (hidden.defined()) each = each.masked_fill(hidden, 0.0);
  return each.sum(1).mean();
}

HeadEntry supportedSpanHeadEntry() {
  return {.id = "supported_span",
          .title = "Supporting facts, kind and ends of an answer (HotpotQA)",
          .reference = "ETC §4.3",
          .reads = {Representation::States},
          .shape = "[B, g], [B, 3], [B, n], [B, n]",
          .lossInputs = {"answer_types"},
          .make = [](const HeadSite& site) -> std::unique_ptr<Head> {
            return std::make_unique<HotpotHead>(site.store, site.width);
          }};
}

}  // namespace fathom
