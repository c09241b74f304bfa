// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// The part of `original` that a predicted text, joined from normalised pieces, stands for
// (docs/fine_tuning.md §5.3; BERT, run_squad's get_final_text): the text is found in the re-tokenised
// original and carried back over the characters that are no blanks. The original itself where that fails.
std::string recoveredText(std::string_view predicted, std::string_view original, bool lowerCase);

}  // namespace fathom
