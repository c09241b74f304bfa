// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// The text with U+FFFD in place of every byte that is not part of well-formed UTF-8, such as those of a
// file's name in another encoding or of a text that was cut inside a letter. What is shown or written as JSON
// needs it: JSON of any other text is refused by its readers, and its writer throws.
std::string wellFormedUtf8(std::string_view text);

}  // namespace fathom
