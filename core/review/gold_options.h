// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/review/review_kind.h"

namespace fathom {

// Options of reviews whose gold file holds more than is to be reviewed: bad examples, or a training file of
// which a run kept a share apart.

// "bad_lines" (refuse, skip) and "examples" (all, predicted), for the entry of a kind.
std::vector<ReviewOption> goldOptions();
// "examples" alone, of kinds whose gold file has no bad lines.
ReviewOption examplesOption();
// Both with the words that they know, else a usage error.
Status checkGoldOptions(const ReviewSources& sources);
// Whether bad examples of the gold file are left out and counted.
bool skipsBadGold(const ReviewSources& sources);
// Whether only examples count that some file has a prediction for.
bool onlyPredicted(const ReviewSources& sources);

// Examples that are left out because they are bad.
struct BadGold {
  std::size_t count = 0;
  Phrase first;  // line and reason of the first one
  void add(std::int64_t line, const Phrase& what);
  void add(const Error& error) { add(error.line, error.messagePhrase()); }
};
// The note about them; none when there are none.
void noteBadGold(ReviewGold& gold, const BadGold& bad);

// Drops what no model predicts, from gold and models alike, and notes how much that is.
void keepPredicted(Review& review);

}  // namespace fathom
