// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace fathom {

// Correlations of pairs: both spans have the same length. Not defined where either side is constant or has
// fewer than two values.
std::optional<double> pearson(std::span<const double> first, std::span<const double> second);
// Pearson of average ranks.
std::optional<double> spearman(std::span<const double> first, std::span<const double> second);

}  // namespace fathom
