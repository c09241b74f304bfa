// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/review/review_kind.h"

namespace fathom {

// Words of a text: runs without white space.
std::vector<TextSpan> wordSpans(std::string_view text);
std::size_t wordCount(std::string_view text);  // how many there are

// The words of `text` that have no partner in `other`: those outside a longest common subsequence of words,
// neighbours joined. Texts that differ in more than 1,000 words in the middle are compared at their ends
// alone.
std::vector<TextSpan> differingWords(std::string_view text, std::string_view other);

// Offsets in bytes of every code point of a text, and its size behind them.
std::vector<std::size_t> codePointOffsets(std::string_view text);

// The first of: who, what, when, where, why, how, which, else "other". For facets of questions.
std::size_t questionWord(std::string_view question);
const std::vector<const char*>& questionWords();
ReviewFacet questionWordFacet(const ReviewGold& gold, std::size_t text);

}  // namespace fathom
