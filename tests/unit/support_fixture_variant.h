// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fathom::fixtures {

// Writes `<out>/index.json` and its files: the cases of `source` with other folders, in another order and
// fewer, and where what a case expects follows from its own numbers, with other values too: no number as the
// text "NaN", more and fewer rows, other lengths. Files that are not changed are links. Throws Failure.
void writeVariant(const std::string& source, const std::string& out);

// Names of the kinds of change that were made, each once.
std::vector<std::string> changesOf(const std::string& variant);

}  // namespace fathom::fixtures
