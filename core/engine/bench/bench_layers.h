// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/options/option_field.h"
#include "core/engine/bench/bench_pairs.h"

namespace fathom {

// Options of models, initialisations and optimisers as a bench sets them.
OptionValues benchModelOptions(const Json& values);

// Forward and backward of the relation-aware stack of DT-Fixup (docs/benchmarks.md §2), float32, against the
// same layers in Python with the n x n x d relation tensors of the usual module. Lengths: all `length`, or
// spread as Spider's inputs are (mean 60 % of the longest).
struct RatLayerBench {
  BenchSettings settings;
  std::int64_t layers = 24, width = 256, heads = 8, feedForward = 1024, relations = 33;
  std::int64_t rows = 16, length = 90;
  bool spread = false;
};
Status benchRatLayer(const RatLayerBench& bench);

// One masked-LM step of BERT-Base with AdamW, 8 x 512 tokens of which on average 60 % are real, against
// transformers' BertForMaskedLM with sdpa and fused AdamW.
struct BertStepBench {
  BenchSettings settings;
  std::int64_t layers = 12, width = 768, heads = 12, feedForward = 3072, vocabulary = 30522;
  std::int64_t rows = 8, length = 512, groups = 8;
  std::string chain = "none";  // sum, mean: RealFormer; the peer then stays Post-LN and nothing is compared
};
Status benchBertStep(const BertStepBench& bench);

// Clipping and one Adam update of a model's tensors on a processor, against clip_grad_norm_ and
// AdamW(fused=True).
struct OptimizerStepBench {
  BenchSettings settings;
  std::int64_t tensors = 200, elements = 60000000;
};
Status benchOptimizerStep(const OptimizerStepBench& bench);

// Tokens of a text against the tokenizers package with one thread: WordPiece by vocab.txt, or
// byte-level BPE by vocab.json and merges.txt. Ids must be identical.
struct TokenizeBench {
  BenchSettings settings;
  std::string text, vocabulary, merges;
  std::int64_t megabytes = 20;
  bool lowerCase = true;
};
Status benchTokenize(const TokenizeBench& bench);

}  // namespace fathom
