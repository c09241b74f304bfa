// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// The "13a" tokenisation of mteval-v13a.pl as sacreBLEU does it (docs/tokenizers.md §5): drops "<skipped>",
// joins lines broken at a hyphen, unescapes four entities, separates punctuation by four rules and collapses
// Unicode white space. A tokenizer owns scratch buffers: one per thread.
class Moses13aTokenizer {
 public:
  // Tokens of one segment; views into a buffer of this object, valid until the next call.
  const std::vector<std::string_view>& tokens(std::string_view segment);

 private:
  std::string m_first, m_second;
  std::vector<std::string_view> m_tokens;
};

// Tokens separated by Unicode white space (Python's str.split()), appended to `tokens`.
void splitAtWhiteSpace(std::string_view text, std::vector<std::string_view>& tokens);

}  // namespace fathom
