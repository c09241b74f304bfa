// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/field_builder.h"
#include "core/nn/heads/etc_heads.h"

namespace fathom {

namespace {

constexpr double kNoCandidate = -10000;

}  // namespace

CandidateHead::CandidateHead(ParameterStore& store, std::int64_t width, std::int64_t hidden,
                             Activation activation, double normEps)
    : m_activation(activation) {
  m_output = headMap(store, "head.output", 1, width);
  if (hidden == 0) return;
  m_in = headMap(store, "head.block.input", hidden, width);
  m_out = headMap(store, "head.block.output", width, hidden);
  m_norm = headNorm(store, "head.block.layer_norm", width, normEps);
}

torch::Tensor CandidateHead::logits(const torch::Tensor& globals, const torch::Tensor& candidates) const {
  torch::Tensor x = globals;
  if (m_in.weight.defined()) x = m_norm(x + m_out(activate(m_in(x), m_activation)));
  return m_output(x).squeeze(-1).masked_fill(candidates.logical_not(), kNoCandidate);
}

namespace {

std::vector<OptionField> candidateFields(const std::string& prefix) {
  return {
      integerField(prefix + ".head_block", "Block before the candidates",
                   "Width inside a residual feed-forward block between the encoder and the numbers of the "
                   "candidates; 0: none.",
                   0)
          .between(0, 1 << 16)
          .reference("ETC's code, WikiHop")};
}

}  // namespace

HeadEntry candidatesHeadEntry() {
  return {.id = "candidates",
          .title = "A number for each candidate (WikiHop)",
          .reference = "ETC §4.3",
          .reads = {Representation::States},
          .shape = "[B, g]",
          .lossInputs = {"labels"},
          .fields = candidateFields,
          .make = [](const HeadSite& site) -> std::unique_ptr<Head> {
            return std::make_unique<CandidateHead>(site.store, site.width,
                                                   site.options.integer(site.prefix + ".head_block"),
                                                   site.activation, site.normEps);
          }};
}

}  // namespace fathom
