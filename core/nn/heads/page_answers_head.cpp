// SPDX-License-Identifier: Apache-2.0
#include "core/nn/heads/etc_heads.h"

namespace fathom {

NqHead::NqHead(ParameterStore& store, std::int64_t width)
    : m_positions(headMap(store, "head.positions", 4, width)),
      m_type(headMap(store, "head.answer_type", 5, width)) {}

NqHeadLogits NqHead::logits(const torch::Tensor& longs) const {
  return {m_positions(longs), m_type(longs.select(1, 0))};
}

HeadEntry pageAnswersHeadEntry() {
  return {.id = "page_answers",
          .title = "Ends of short and long answers (Natural Questions)",
          .reference = "ETC §4.2",
          .reads = {Representation::States},
          .shape = "[B, n, 4], [B, 5]",
          .lossInputs = {"targets"},
          .make = [](const HeadSite& site) -> std::unique_ptr<Head> {
            return std::make_unique<NqHead>(site.store, site.width);
          }};
}

}  // namespace fathom
