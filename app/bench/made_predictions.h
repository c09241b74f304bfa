// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/review/review.h"

namespace fathom {

// Gold and predictions of imaginary models in the files that a kind of review usually reads, made of words of
// a few syllables: always the same for the same numbers. Writes into `folder`, which is there.
// Usage error for a kind that none can be made for (its files have to be named).
Result<ReviewSources> makePredictions(const std::string& kind, int examples, int models,
                                      const std::string& folder);

}  // namespace fathom
