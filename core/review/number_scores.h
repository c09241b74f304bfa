// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace fathom {

// Of numbers in pairs; none where either side is constant or there are fewer than two.
std::optional<double> pearson(const std::vector<double>& a, const std::vector<double>& b);
// Pearson of ranks, equal values sharing the mean of theirs.
std::optional<double> spearman(const std::vector<double>& a, const std::vector<double>& b);
std::vector<double> averageRanks(const std::vector<double>& values);

}  // namespace fathom
