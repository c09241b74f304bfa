// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fathom {

// Gorodkin's correlation (2004) of gold and predicted classes; of two classes it is Matthews'. `cells` counts
// [gold class × predicted class]; columns beyond the classes are predictions of none of them. 0 where gold or
// predictions are all one class. From -1 to 1; what is shown of it is a hundred times that.
double matthewsCorrelation(std::span<const std::int64_t> cells, std::size_t classes, std::size_t columns);

}  // namespace fathom
