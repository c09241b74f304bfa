// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// Splits SQL as the official evaluation does: quoted texts are protected and keep their case, the rest is
// split by the rules of NLTK's word tokenizer (no sentence splitter) and lower-cased, then "=" joins a "!",
// ">" or "<" before it. docs/spider_evaluation.md §2. Error: an odd number of quotes, or more than 1 MB of
// text.
Result<std::vector<std::string>> tokenizeOfficialSql(std::string_view sql);

// NLTK's word tokenizer (3.8) for text without quote characters, case kept. Used above and tested on its own.
std::vector<std::string> splitWordsNltk(std::string_view text);

}  // namespace fathom
