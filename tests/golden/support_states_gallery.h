// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "views/figure/figure_spec.h"

namespace fathom::gallery {

// A figure of many states or runs (over_training, epoch_norm, input_norm, stability_grid) of made-up ones:
// two runs "aaaa" and "bbbb" with an initial state and four checkpoints, one of them superseded; for
// stability grids the twelve runs "0" to "11" of three rates, two β2 and two seeds. "lone" has but its
// initial state.
Result<FigureSpec> followedFigure(const std::string& figure, const std::vector<std::string>& assignments,
                                  const std::vector<std::string>& runs = {});

}  // namespace fathom::gallery
