// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "views/figures/figure_entry.h"

namespace fathom::gallery {

// A review of 2 to 8 systems on the made data: careful, hasty, the two in turn, and the like. Made once in a
// program.
const Review& sampleReview(std::size_t models, bool longNames = false);
// What the program says of it, [model][example].
std::vector<std::vector<std::uint8_t>> categoriesOf(const Review& review);
// A figure of figures.list of that review; `settings` are "key=value".
Result<ReviewFigure> reviewFigure(const Review& review, const std::string& figure,
                                  const std::vector<std::string>& settings = {});

}  // namespace fathom::gallery
