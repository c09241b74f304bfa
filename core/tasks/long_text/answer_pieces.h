// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tasks/long_text/long_layout.h"

namespace fathom {

// Of every byte the number of the word (readingWords) that it is in, npos between words.
std::vector<std::size_t> wordOfByte(std::string_view text);

// The shortest span inside `span` whose pieces are those of the answer (BERT's code, run_squad.py,
// _improve_answer_span); `span` itself where there is none.
std::pair<std::int64_t, std::int64_t> narrowedSpan(const std::vector<std::int32_t>& tokens,
                                                   std::pair<std::int64_t, std::int64_t> span,
                                                   const std::vector<std::int64_t>& answer);

// Pieces [first, last] as words, "##" joined.
std::string piecesText(const std::vector<std::int32_t>& tokens, std::size_t first, std::size_t last,
                       const LongPieces& pieces);

}  // namespace fathom
