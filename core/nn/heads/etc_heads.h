// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <vector>

#include "core/nn/models/head.h"

namespace fathom {

// What reads the streams of an encoder of two streams for the tasks of docs/long_inputs.md §4: logits from
// last hidden states [B, n, d] and [B, g, d]. Parameters "head.…" in the model's store.

// WikiHop: a number for each candidate's global token; `hidden` > 0: behind a residual feed-forward block.
class CandidateHead final : public Head {
 public:
  CandidateHead(ParameterStore& store, std::int64_t width, std::int64_t hidden, Activation activation,
                double normEps);
  // candidates bool [B, g]: the others are -10000.
  torch::Tensor logits(const torch::Tensor& globals, const torch::Tensor& candidates) const;

 private:
  HeadMap m_output, m_in, m_out;
  LayerNorm m_norm;
  Activation m_activation;
};

// HotpotQA: supporting facts on global tokens, the kind of answer on the first of them, ends of an answer on
// the long stream.
struct HotpotHeadLogits {
  torch::Tensor supporting, type, begin, end;  // [B, g], [B, 3], [B, n], [B, n]
};
class HotpotHead final : public Head {
 public:
  HotpotHead(ParameterStore& store, std::int64_t width);
  HotpotHeadLogits logits(const torch::Tensor& longs, const torch::Tensor& globals) const;

 private:
  HeadMap m_supporting, m_type, m_span;
};

// Natural Questions: ends of short and long answers, kind of answer on the first long token.
struct NqHeadLogits {
  torch::Tensor positions, type;  // [B, n, 4]: short begin, end, long begin, end; [B, 5]
};
class NqHead final : public Head {
 public:
  NqHead(ParameterStore& store, std::int64_t width);
  NqHeadLogits logits(const torch::Tensor& longs) const;

 private:
  HeadMap m_positions, m_type;
};

// OpenKP: words as sums of their pieces, then for each n a convolution over n words.
class PhraseHead final : public Head {
 public:
  PhraseHead(ParameterStore& store, std::int64_t width, std::int64_t longest, Activation activation,
             double normEps);
  // words int64 [B, n], -1 for padding; count int64 [B] words. [B, longest, n]: the n-gram that begins at a
  // word, -10000 where there is none.
  torch::Tensor logits(const torch::Tensor& longs, const torch::Tensor& words,
                       const torch::Tensor& count) const;

 private:
  struct Ngram {
    HeadMap convolution;  // [d, n d]
    LayerNorm norm;
    torch::Tensor dense;  // [1, d]
  };
  std::vector<Ngram> m_ngrams;
  LayerNorm m_wordNorm;
  Activation m_activation;
};

// Mean over rows of -log softmax at the targets; `hidden` bool [B, n] or undefined leaves places out.
torch::Tensor placeLoss(const torch::Tensor& logits, const torch::Tensor& targets,
                        const torch::Tensor& hidden = {});
// Sum over the places of a row of the sigmoid cross entropy, mean over rows; `hidden` as above.
torch::Tensor supportLoss(const torch::Tensor& logits, const torch::Tensor& targets,
                          const torch::Tensor& hidden = {});

}  // namespace fathom
