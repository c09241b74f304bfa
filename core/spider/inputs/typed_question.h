// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// A question somebody typed as tokens of Spider's kind (`question_toks`): punctuation, brackets, quotes and
// clitics ('s, n't) are tokens of their own; a comma or colon before a digit and a period inside a word are
// not. Valid UTF-8 in, valid UTF-8 out.
std::vector<std::string> tokensOfQuestion(std::string_view question);

}  // namespace fathom
