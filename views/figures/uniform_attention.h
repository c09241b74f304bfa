// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace fathom {

// True if a head looks at everything alike: each row of `probabilities` ([queries, keys], hidden keys 0 or
// not a number) gives every key it can see the same share, within `tolerance` of that share. Rows that see
// one key say nothing; a head of such rows only is not uniform.
bool isUniformHead(std::span<const double> probabilities, std::size_t keys, double tolerance = 0.1);

}  // namespace fathom
