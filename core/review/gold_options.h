// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/review/review_kind.h"

namespace fathom {

// Options of reviews whose gold file holds more than is to be reviewed: bad examples, or a training file of
// which a run kept a share apart.

// "bad_lines" (refuse, skip) and "examples" (all, predicted), for the entry of a kind.
std::vector<KindOption> goldOptions();
// Both with the words that they know, else a usage error.
Status checkGoldOptions(const KindSources& sources);
// Whether bad examples of the gold file are left out and counted.
bool skipsBadGold(const KindSources& sources);
// Whether only examples count that some file has a prediction for.
bool onlyPredicted(const KindSources& sources);
// The note about those that were left out; none when none was. `why`: of the first one.
void noteBadGold(KindGold& gold, std::size_t left, const Phrase& why);

// Drops what no model predicts, from gold and models alike, and notes how much that is.
void keepPredicted(KindReview& review);

}  // namespace fathom
