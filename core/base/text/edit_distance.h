// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// Damerau-Levenshtein distance (adjacent transpositions count one).
std::size_t editDistance(std::string_view a, std::string_view b);

// The candidate nearest in spelling to `word`, or "" when none is near enough to be a slip of the hand.
std::string nearestSpelling(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace fathom
