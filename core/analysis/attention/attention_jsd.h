// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace fathom {

// Jensen-Shannon divergence to base 2 between the attention rows of one token in head i of layers L and L-1:
// H(M) - H(P)/2 - H(Q)/2 with M = (P+Q)/2, clamped at 0; in [0, 1] (RealFormer Fig 6; docs/analyses.md §2).
// The rows have one length.
double attentionJsd(std::span<const double> row, std::span<const double> rowBelow);
double attentionJsd(std::span<const float> row, std::span<const float> rowBelow);

// Medians (bits) below and above which a figure colours a head as low and high.
constexpr double kLowDivergence = 0.25, kHighDivergence = 0.75;

}  // namespace fathom
