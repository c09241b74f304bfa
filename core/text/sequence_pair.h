// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/text/token_ranges.h"

namespace fathom {

// Forms in which two texts become one input.
enum class PairLayout {
  Bert,    // [CLS] A [SEP] B [SEP], segments 0 and 1
  Roberta  // <s> A </s></s> B </s>, segments all 0
};
// Who gets the spare token of longest-first truncation when both texts are cut and the budget is odd.
enum class SpareToken {
  Second,  // the second text, unless the first is longer (the fast tokenizers)
  First    // the first text (transformers' Python tokenizers, Google's scripts)
};

struct PairFormat {
  PairLayout layout = PairLayout::Bert;
  std::int64_t cls = 0, sep = 0;  // ids of the special tokens
  std::int64_t maxLength = 512;   // with special tokens
  SpareToken spare = SpareToken::Second;
};

struct PairInput {
  std::vector<std::int64_t> ids, segments;
  std::vector<TextRange> ranges;    // in the text of the token's segment; special tokens (0, 0)
  std::vector<std::int64_t> parts;  // 0 first text, 1 second text, -1 special token
};

// Lengths kept of both texts so that their sum is at most `budget`, the longer cut first.
struct KeptLengths {
  std::int64_t first = 0, second = 0;
};
KeptLengths truncateLongestFirst(std::int64_t first, std::int64_t second, std::int64_t budget,
                                 SpareToken spare);

// One text, cut at its end, or a pair, the longer cut first.
PairInput makeSingleInput(const EncodedText& text, const PairFormat& format);
PairInput makePairInput(const EncodedText& first, const EncodedText& second, const PairFormat& format);

}  // namespace fathom
