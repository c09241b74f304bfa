// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fathom {

// A word as a shell reads it back, for command lines that are shown: in single quotes where it needs them.
std::string shellWord(const std::string& word);

}  // namespace fathom
