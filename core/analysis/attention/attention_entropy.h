// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace fathom {

// Attention entropy of one query token: H = -Σ_j P_j ln P_j in nats, 0 ln 0 = 0 (RealFormer Figs 4, 5;
// docs/analyses.md §1). `probabilities`: one row of the softmax, before dropout.
double attentionEntropy(std::span<const double> probabilities);
double attentionEntropy(std::span<const float> probabilities);
double natsToBits(double nats);

// Medians (nats) below and above which a figure colours a head as low and high: a quarter and three quarters
// of 6.
constexpr double kLowEntropy = 1.5, kHighEntropy = 4.5;

}  // namespace fathom
