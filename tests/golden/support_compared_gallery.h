// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "views/figure/figure_spec.h"

namespace fathom::gallery {

// True for a figure that compares runs by their logged values and options.
bool comparesRuns(const std::string& figure);
// Such a figure of made-up runs: three settings, two seeds each, the last of which diverged. `runs`: the
// first so many of them.
Result<FigureSpec> comparedFigure(const std::string& figure, const std::vector<std::string>& assignments,
                                  std::size_t runs = 6);

}  // namespace fathom::gallery
