// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/text/text_normalizers.h"

namespace fathom {

// A part of a text on its way to become pieces.
struct CutPart {
  TextCharacters characters;
  std::int64_t origin = 0;  // where it begins in the text, in bytes
};
using CutText = std::vector<CutPart>;

// A pre-tokenizer of tokenizer.json (docs/tokenizers.md §6): cuts the parts further, in place. Null in the
// file: nothing is cut. Failure (data) naming file and member for one that is not read.
using TextCutter = std::function<void(CutText&)>;
TextCutter makeCutter(const Json& json, const std::string& file, const std::string& path,
                      std::vector<std::string>& unknown);

// \w of a regular expression: letters, marks, digits, connecting punctuation.
bool isWordCharacter(char32_t code);
// Each byte as GPT-2's printable character, with the range of the character it is of.
void writeBytesAsCharacters(TextCharacters& text);

}  // namespace fathom
