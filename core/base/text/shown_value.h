// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// A value of a file as messages show it: its beginning, cut between two characters, and "…" where more of it
// follows.
std::string shownValue(std::string_view value);

}  // namespace fathom
