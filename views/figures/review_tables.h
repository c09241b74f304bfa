// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/review/judged_review.h"
#include "views/figures/review_figure.h"
#include "views/files/latex_table.h"

namespace fathom {

// Tables of a review, for screens and papers: headings and names are markup.

// Models, their metrics and how many predictions are wrong.
PaperTable scoresTable(const Review& review);
// The examples behind its cells: a score is of all examples, the counts are of those that they count.
CellSelections scoresCells(const Review& review);
// Some examples: number, the text that says most, gold, answer and category of every model. `categories` are
// those that count, [model][example].
PaperTable examplesTable(const Review& review, const std::vector<std::vector<std::uint8_t>>& categories,
                         const std::vector<int>& examples);
// Models in pairs by the kind's test. Where people judged, a pair has two rows: by the metric's verdicts and
// by people's.
PaperTable pairsTable(const Review& review, const JudgedPairs& pairs);
// Its columns that stand for examples, and the one that says whose verdicts a row counts.
enum PairColumn { kPairOnlyFirst = 2, kPairOnlySecond, kPairVerdicts = 7 };

}  // namespace fathom
