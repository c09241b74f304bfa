// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace fathom {

// Spearman's ρ: Pearson's correlation of the ranks, equal values with their mean rank (docs/statistics.md
// §6). Pairs in which a value is not finite are left out; std::nullopt for fewer than three, or where a side
// does not vary. Equal lengths.
std::optional<double> rankCorrelation(std::span<const double> x, std::span<const double> y);

}  // namespace fathom
