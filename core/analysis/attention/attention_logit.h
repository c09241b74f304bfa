// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/analysis/statistics/value_histogram.h"

namespace fathom {

// Largest attention logit of one query: of the argument of the softmax (scale, relations and score chain
// included) over the keys that the mask shows, those above kHiddenLogit. NaN where it shows none, or no score
// is a number. Where it grows without end attention collapses onto single keys (docs/analyses.md §2).
float largestLogit(std::span<const float> scores);
double largestLogit(std::span<const double> scores);

// Scores at or below it are those of keys that a mask hides.
constexpr double kHiddenLogit = -1e4;

// Logits between which a figure colours a head as low, middle and high: by the largest of a softmax that one
// key wins outright, e^10 and e^50 times the weight of a logit of 0.
constexpr double kLowLogit = 10, kHighLogit = 50;

// An empty histogram for largest logits.
ValueHistogram logitHistogram();

}  // namespace fathom
