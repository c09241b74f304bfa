// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/review/imported_predictions.h"
#include "core/review/review_kind.h"

namespace fathom {

// Score of a span and of the sentences that it names.
struct SupportedScore {
  double exact = 0, f1 = 0, factsF1 = 0;
};

// A form of gold files that a kind of review reads beside its own: records of a benchmark, which read and
// count as the task does that owns them (core/review/kinds/<task>/).
struct GoldLayout {
  const char* kind = nullptr;  // of review, that reads it
  // True if a file that begins so has this form.
  bool (*holds)(std::string_view head) = nullptr;
  Result<ReviewGold> (*read)(const std::string& path, bool skipBad) = nullptr;
  // Of spans, whose supporting sentences are known: the sentences that a prediction names, the score of one,
  // those of all. Null in every other kind.
  void (*takeEvidence)(const ReviewExample& example, const ImportedPrediction& read,
                       ReviewOutput& output) = nullptr;
  SupportedScore (*score)(const ReviewExample& example, const ReviewOutput& output) = nullptr;
  std::vector<ReviewScore> (*scores)(const ReviewGold& gold, const ReviewModel& model) = nullptr;
};

// layouts.list
const std::vector<GoldLayout>& goldLayouts();
// Null: the file has the kind's own form.
const GoldLayout* goldLayoutOf(std::string_view kind, std::string_view head);
// Reads the file by the layout, which the gold keeps.
Result<ReviewGold> readLayout(const GoldLayout& layout, const ReviewSources& sources);

}  // namespace fathom
