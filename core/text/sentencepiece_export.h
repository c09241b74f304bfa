// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/text/pipeline_tokenizer.h"

namespace fathom {

// A SentencePiece model as a tokenizer.json (docs/tokenizers.md §7). Marks that the model lacks, and the mark
// of masked words, have the ids behind its pieces, as SentencePieceTokenizer and the tasks number them.
struct SentencePieceJson {
  Json tokenizer;
  TokenRoles roles;
  std::vector<Phrase> notes;  // what stays different
};
// Usage error naming what the tokenizers library has no rules for; so is a model of which a text comes out as
// other pieces: each piece of the vocabulary and texts of odd characters are tried.
Result<SentencePieceJson> sentencePieceJson(std::string_view model, const std::string& name);

}  // namespace fathom
