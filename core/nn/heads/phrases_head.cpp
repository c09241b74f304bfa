// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/field_builder.h"
#include "core/nn/heads/etc_heads.h"

namespace fathom {

namespace {

constexpr double kNoPhrase = -10000;

}  // namespace

PhraseHead::PhraseHead(ParameterStore& store, std::int64_t width, std::int64_t longest, Activation activation,
                       double normEps)
    : m_activation(activation) {
  m_wordNorm = headNorm(store, "head.word_layer_norm", width, normEps);
  for (std::int64_t n = 1; n <= longest; ++n) {
    const std::string name = std::to_string(n);
    Ngram one;
    one.convolution = headMap(store, "head." + name + ".convolution", width, n * width);
    one.norm = headNorm(store, "head." + name + ".layer_norm", width, normEps);
    ParameterInfo dense;
    dense.name = "head." + name + ".dense.weight";
    dense.role = ParameterRole::Dense;
    one.dense = store.add(dense, {1, width});
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
    all.push_back(at::linear(x, one.dense).squeeze(-1).masked_fill(none, kNoPhrase));
  }
  return at::stack(all, 1);
}

namespace {

std::vector<OptionField> phraseFields(const std::string& prefix) {
  return {integerField(prefix + ".longest_phrase", "Longest phrase", "Words of a key phrase.", 5)
              .between(1, 16)
              .reference("ETC's code, OpenKP")};
}

}  // namespace

HeadEntry phrasesHeadEntry() {
  return {.id = "phrases",
          .title = "Key phrases (OpenKP)",
          .reference = "ETC §4.2",
          .reads = {Representation::States},
          .shape = "[B, longest, n]",
          .lossInputs = {"labels"},
          .fields = phraseFields,
          .make = [](const HeadSite& site) -> std::unique_ptr<Head> {
            return std::make_unique<PhraseHead>(site.store, site.width,
                                                site.options.integer(site.prefix + ".longest_phrase"),
                                                site.activation, site.normEps);
          }};
}

}  // namespace fathom
