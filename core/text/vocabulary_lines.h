// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/phrase.h"

namespace fathom {

// A vocab.txt as the tokenizers library reads it: one token a line, its number is the id, white space at the
// end of a line is no part of the token; of a token that comes twice the last line counts, empty lines are
// tokens that no text holds. A byte order mark before a mark such as [PAD] is dropped.
struct VocabularyLines {
  std::vector<std::string> tokens;
  std::vector<Phrase> notes;  // what was odd, each once
};
VocabularyLines vocabularyLines(std::string_view text, const std::string& file);

}  // namespace fathom
