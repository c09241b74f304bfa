// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// A sentence ends behind . ! or ? before white space or the end; blanks around it are left out.
std::vector<std::string> simpleSentences(std::string_view text);

}  // namespace fathom
