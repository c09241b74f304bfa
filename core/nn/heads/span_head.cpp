// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/head.h"

namespace fathom {

namespace {

// Begin and end of an answer at every token. Parameters "span.…".
class SpanHead final : public TextHead {
 public:
  explicit SpanHead(const HeadSite& site) : m_map(headMap(site.store, "span", 2, site.width)) {}
  torch::Tensor logits(const EncoderModel&, const torch::Tensor& hidden, const StepContext&) const override {
    return m_map(hidden);
  }

 private:
  HeadMap m_map;
};

}  // namespace

HeadEntry spanHeadEntry() {
  return {
      .id = "span",
      .title = "Span",
      .reference = "BERT §4.2",
      .reads = {Representation::Tokens},
      .shape = "[B, T, 2]",
      .lossInputs = {"targets"},
      .make = [](const HeadSite& site) -> std::unique_ptr<Head> { return std::make_unique<SpanHead>(site); }};
}

}  // namespace fathom
