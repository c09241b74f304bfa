// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// One sub-layer as the exact recursion sees it: x_i = norm(x_{i-1} ⊙ shortcut + scale · a_i). Empty vectors:
// shortcut 1, no norm. All vectors have d entries.
struct DependencySublayer {
  std::string name;               // "encoder.layers.0.self_attention"
  std::vector<double> branch;     // a_i [tokens, d], row-major, after dropout
  std::vector<double> shortcut;   // ω, α; empty = 1
  double scale = 1;               // factor on the branch (ReZero's α, FixUp's scale)
  std::vector<double> gamma, nu;  // layer norm after the sum; empty = none
  double eps = 1e-5;
};

struct DependencyInput {
  std::int64_t tokens = 0, width = 0;
  std::vector<double> embedding;        // x_0 [tokens, d]
  std::vector<std::uint8_t> realToken;  // [tokens] 1 = counts; empty = all
  std::vector<DependencySublayer> sublayers;
};

// β_ij (Admin §4.1, exact recursion of docs/analyses.md §3): row i-1 = x_i, column j = a_j, column 0 = the
// embedding; zero above the diagonal. Both readings of S.
struct BetaDependency {
  std::int64_t sublayers = 0;
  std::vector<double> meanTokenStd;  // [n, n+1] S = mean over real tokens of the std over channels
  std::vector<double> globalStd;     // [n, n+1] S = std over all real tokens and channels
  std::vector<double> biasShare;     // [n] S(accumulated norm biases) / S(x_i), first reading
  double largestResidual = 0;        // max |Σ_j c_j − x_n| over real tokens: the components sum to x_i
  double at(std::int64_t row, std::int64_t column) const {
    return meanTokenStd[static_cast<std::size_t>(row * (sublayers + 1) + column)];
  }
};
// Also hands out the components after the last sub-layer, [n+1, tokens, d] and [tokens, d], where asked for.
struct DependencyComponents {
  std::vector<double> parts, bias, output;
};
Result<BetaDependency> computeBetaDependency(const DependencyInput& input,
                                             DependencyComponents* components = nullptr);

// β²_ii of every sub-layer, column i of row x_i of the first reading: the same values as
// computeBetaDependency's, without the components that are not asked for (their number grows with the square
// of the sub-layers).
Result<std::vector<double>> ownBranchShares(const DependencyInput& input);

// Cell-wise mean and sample standard deviation of maps of one size over runs; failed runs are left out by the
// caller.
struct BetaAverage {
  std::vector<double> mean, deviation;
  int runs = 0;
};
BetaAverage averageMaps(const std::vector<std::vector<double>>& maps);

}  // namespace fathom
