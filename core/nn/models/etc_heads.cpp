// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/etc_heads.h"

#include <string>

namespace fathom {

namespace {

constexpr double kNoPlace = -10000;

ParameterInfo headInfo(const std::string& name, ParameterRole role) {
  ParameterInfo info;
  info.name = "head." + name;
  info.role = role;
  return info;
}

HeadMap headMap(ParameterStore& store, const std::string& name, std::int64_t out, std::int64_t in) {
  return {store.add(headInfo(name + ".weight", ParameterRole::Dense), {out, in}),
          store.add(headInfo(name + ".bias", ParameterRole::Bias), {out})};
}

LayerNorm headNorm(ParameterStore& store, const std::string& name, std::int64_t width, double eps) {
  return {store, "head." + name, headInfo("", ParameterRole::NormWeight), width, eps};
}

}  // namespace

CandidateHead::CandidateHead(ParameterStore& store, std::int64_t width, std::int64_t hidden,
                             Activation activation, double normEps)
    : m_activation(activation) {
  m_output = headMap(store, "output", 1, width);
  if (hidden == 0) return;
  m_in = headMap(store, "block.input", hidden, width);
  m_out = headMap(store, "block.output", width, hidden);
  m_norm = headNorm(store, "block.layer_norm", width, normEps);
}

torch::Tensor CandidateHead::logits(const torch::Tensor& globals, const torch::Tensor& candidates) const {
  torch::Tensor x = globals;
  if (m_in.weight.defined()) x = m_norm(x + m_out(activate(m_in(x), m_activation)));
  return m_output(x).squeeze(-1).masked_fill(candidates.logical_not(), kNoPlace);
}

HotpotHead::HotpotHead(ParameterStore& store, std::int64_t width)
    : m_supporting(headMap(store, "supporting", 1, width)),
      m_type(headMap(store, "answer_type", 3, width)),
      m_span(headMap(store, "answer_span", 2, width)) {}

HotpotHeadLogits HotpotHead::logits(const torch::Tensor& longs, const torch::Tensor& globals) const {
  const torch::Tensor ends = m_span(longs);
  return {m_supporting(globals).squeeze(-1), m_type(globals.select(1, 0)), ends.select(2, 0),
          ends.select(2, 1)};
}

NqHead::NqHead(ParameterStore& store, std::int64_t width)
    : m_positions(headMap(store, "positions", 4, width)), m_type(headMap(store, "answer_type", 5, width)) {}

NqHeadLogits NqHead::logits(const torch::Tensor& longs) const {
  return {m_positions(longs), m_type(longs.select(1, 0))};
}

PhraseHead::PhraseHead(ParameterStore& store, std::int64_t width, std::int64_t longest, Activation activation,
                       double normEps)
    : m_activation(activation) {
  m_wordNorm = headNorm(store, "word_layer_norm", width, normEps);
  for (std::int64_t n = 1; n <= longest; ++n) {
    const std::string name = std::to_string(n);
    Ngram one;
    one.convolution = headMap(store, name + ".convolution", width, n * width);
    one.norm = headNorm(store, name + ".layer_norm", width, normEps);
    one.dense = store.add(headInfo(name + ".dense.weight", ParameterRole::Dense), {1, width});
    m_ngrams.push_back(std::move(one));
  }
}

torch::Tensor PhraseHead::logits(const torch::Tensor& longs, const torch::Tensor& words,
                                 const torch::Tensor& count) const {
  const std::int64_t length = longs.size(1), width = longs.size(2);
  // One more row takes what is padding.
  const torch::Tensor rows = words.masked_fill(words.lt(0), length).unsqueeze(2).expand_as(longs);
  const torch::Tensor sums =
      at::zeros({longs.size(0), length + 1, width}, longs.options()).scatter_add(1, rows, longs);
  const torch::Tensor states = m_wordNorm(sums.narrow(1, 0, length));
  const torch::Tensor places = at::arange(length, count.options()).unsqueeze(0);
  std::vector<torch::Tensor> all;
  for (std::size_t i = 0; i < m_ngrams.size(); ++i) {
    const auto n = static_cast<std::int64_t>(i) + 1;
    const torch::Tensor windows =  // [B, length, n d]
        at::constant_pad_nd(states, {0, 0, 0, n - 1}).unfold(1, n, 1).transpose(2, 3).flatten(2, 3);
    const Ngram& one = m_ngrams[i];
    const torch::Tensor x = one.norm(activate(one.convolution(windows), m_activation));
    const torch::Tensor none = (places + n).gt(count.unsqueeze(1));
    all.push_back(at::linear(x, one.dense).squeeze(-1).masked_fill(none, kNoPlace));
  }
  return at::stack(all, 1);
}

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

}  // namespace fathom
