// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/review/foreign_predictions.h"
#include "core/review/review_kind.h"
#include "core/tasks/long_text/long_scores.h"

namespace fathom {

// Spans whose supporting sentences are known: HotpotQA's records (docs/review_kinds.md §3).

// Whether the first record is one of HotpotQA.
bool holdsSupportedAnswers(std::string_view head);
// Paragraphs as one passage; a supporting fact that is nowhere in it has an empty span and counts all the
// same.
Result<KindGold> readSupportedGold(const std::string& path, bool skipBad = false);
// The sentences that a prediction names.
void takeEvidence(const KindExample& example, const ForeignPrediction& read, KindOutput& output);
// By the official script of HotpotQA.
HotpotScore supportedScore(const KindExample& example, const KindOutput& output);
std::vector<KindScore> scoresOfSupported(const KindGold& gold, const KindModel& model);

}  // namespace fathom
