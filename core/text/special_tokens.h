// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/token_ranges.h"
#include "core/text/tokenizer.h"

namespace fathom {

struct SpecialToken {
  std::string text;
  std::int64_t id = -1;
  bool takesSpaceBefore = false;  // swallows white space on its left (RoBERTa's <mask>)
};
struct TextPart {
  std::string_view text;
  std::int64_t id = -1;  // of the special token; -1 = ordinary text
  TextRange range;
};
// The text from left to right, cut at special tokens (the longest wins at a place); empty parts are left out.
void splitAtSpecialTokens(std::string_view text, const std::vector<SpecialToken>& special,
                          const std::function<void(const TextPart&)>& sink);
// The text with them as tokens of their own, what is between them as `encodePart` (text, its first byte in
// the whole, the tokens so far) adds it.
EncodedText encodeAround(std::string_view text, const std::vector<SpecialToken>& special,
                         const std::function<void(std::string_view, std::int64_t, EncodedText&)>& encodePart);

}  // namespace fathom
