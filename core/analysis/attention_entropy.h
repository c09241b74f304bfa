// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace fathom {

// Attention entropy of one query token: H = -Σ_j P_j ln P_j in nats, 0 ln 0 = 0 (RealFormer Figs 4, 5;
// docs/analyses.md §1). `probabilities`: one row of the softmax, before dropout.
double attentionEntropy(std::span<const double> probabilities);
double attentionEntropy(std::span<const float> probabilities);
double natsToBits(double nats);

// Colour classes of the figure, always judged in nats: Low below 1.5, High above 4.5.
enum class EntropyClass { Low = 0, Middle = 1, High = 2 };
EntropyClass entropyClass(double medianNats);

}  // namespace fathom
