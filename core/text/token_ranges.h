// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/text/tokenizer.h"

namespace fathom {

// Tokens with the ranges of the text they stand for.
struct EncodedText {
  std::vector<std::int64_t> ids;
  std::vector<TextRange> ranges;  // bytes of the original text
  void add(std::int64_t id, TextRange range) {
    ids.push_back(id);
    ranges.push_back(range);
  }
  std::int64_t size() const { return static_cast<std::int64_t>(ids.size()); }
};

// A character of normalised text and where it comes from.
struct TextCharacter {
  char32_t code = 0;
  TextRange range;
};

}  // namespace fathom
