// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "views/figure/figure_spec.h"

namespace fathom::gallery {

// A figure of probes of up to four made-up runs; `assignments` are its options ("form=map").
FigureSpec probeFigure(const std::string& figure, const std::vector<std::string>& assignments,
                       std::size_t runs = 2, int layers = 4);

}  // namespace fathom::gallery
