// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/errors/word_table.h"
#include "core/text/token_ranges.h"

namespace fathom {

// Cuts text into words before WordPiece (docs/tokenizers.md §1): cleaning, lower-casing, removal of
// accents, white space, punctuation and Han characters as words of their own.
enum class WordPieceVariant {
  HfFast,  // the fast tokenizer's own character table; drops Cc, Cf and private use; every final sigma is σ
  HfSlow,  // Unicode 14; drops all of C*, composes to NFC first
  Google   // Unicode 14; drops Cc and Cf; a final sigma becomes ς
};
inline constexpr EnumWord<WordPieceVariant> kWordPieceVariants[] = {
    {WordPieceVariant::HfFast, "hf_fast", "transformers, fast"},
    {WordPieceVariant::HfSlow, "hf_slow", "transformers, Python"},
    {WordPieceVariant::Google, "google", "Google"}};

using WordSink = std::function<void(std::span<const TextCharacter> word)>;
void splitWords(std::string_view text, WordPieceVariant variant, bool lowerCase, const WordSink& sink);

}  // namespace fathom
