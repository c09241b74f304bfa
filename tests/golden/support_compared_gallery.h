// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/result.h"
#include "views/figure/figure_spec.h"

namespace fathom::gallery {

// True for a figure that compares runs by their logged values and options.
bool comparesRuns(const std::string& figure);
using ChangeFacts = std::function<void(std::size_t run, RunFacts& facts)>;
// Such a figure of made-up runs: three settings, two seeds each, the last of which diverged. `runs`: the
// first so many of them. `change`: makes them others.
Result<FigureSpec> comparedFigure(const std::string& figure, const std::vector<std::string>& assignments,
                                  std::size_t runs = 6, const ChangeFacts& change = {});

}  // namespace fathom::gallery
