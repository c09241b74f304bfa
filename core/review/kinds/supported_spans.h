// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/review/imported_predictions.h"
#include "core/review/review_kind.h"

namespace fathom {

// Spans whose supporting sentences are known: HotpotQA's records (docs/review_kinds.md §3).

// Whether the first record is one of HotpotQA.
bool holdsSupportedAnswers(std::string_view head);
// Paragraphs as one passage; a supporting fact that is nowhere in it has an empty span and counts all the
// same.
Result<ReviewGold> readSupportedGold(const std::string& path, bool skipBad = false);
// The sentences that a prediction names.
void takeEvidence(const ReviewExample& example, const ImportedPrediction& read, ReviewOutput& output);
// Of the answer, and F1 of the sentences that it names, by the official script of HotpotQA.
struct SupportedScore {
  double exact = 0, f1 = 0, factsF1 = 0;
};
SupportedScore supportedScore(const ReviewExample& example, const ReviewOutput& output);
std::vector<ReviewScore> scoresOfSupported(const ReviewGold& gold, const ReviewModel& model);

}  // namespace fathom
