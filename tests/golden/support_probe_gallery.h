// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "views/figure/figure_spec.h"

namespace fathom::gallery {

// A figure of probes of two made-up runs; `assignments` are its options ("form=map").
FigureSpec probeFigure(const std::string& figure, const std::vector<std::string>& assignments);

}  // namespace fathom::gallery
