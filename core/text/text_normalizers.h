// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/text/settings_reader.h"
#include "core/text/token_ranges.h"

namespace fathom {

using TextCharacters = std::vector<TextCharacter>;

// The characters of UTF-8 text; ranges count from `offset`.
TextCharacters charactersOf(std::string_view text, std::int64_t offset = 0);
std::string utf8Of(const TextCharacters& characters);
// White space as Rust's char::is_whitespace.
bool isRustSpace(char32_t code);
// Ranges of Han characters as the tokenizers library has them.
bool isHanCharacter(char32_t code);

// A normalizer of tokenizer.json (docs/tokenizers.md §6): changes the characters of a text in place. Null in
// the file: nothing is changed. Failure (data) naming file and member for one that is not read.
using TextNormalizer = std::function<void(TextCharacters&)>;
TextNormalizer makeNormalizer(const Json& json, const std::string& file, const std::string& path,
                              std::vector<std::string>& unknown);

// SentencePiece's table of characters, the member "precompiled_charsmap" in base64 (charsmap.cpp).
TextNormalizer makeCharsmap(const std::string& base64, const SettingsReader& from);

}  // namespace fathom
