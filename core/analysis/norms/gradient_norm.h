// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

// Relative norms (Admin Figs 3, 5, 11; docs/analyses.md §5, §6): each value divided by the largest finite
// one. All zero or all non-finite: NaN, which a figure draws as missing.
std::vector<double> relativeToLargest(std::span<const double> norms);

// Meaning of "the largest value of the same kind" for per-epoch norms: the same matrix kind (W^Q, W^K, W^V1,
// W^V2) over epochs and layers, or every kind of the network.
enum class NormReference { MatrixKind, Network };
// norms [epochs, layers, kinds] row-major.
std::vector<double> relativeEpochNorms(std::span<const double> norms, std::int64_t kinds,
                                       NormReference reference);

}  // namespace fathom
