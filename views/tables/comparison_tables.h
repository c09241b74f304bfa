// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/statistics/paired_test.h"
#include "views/files/latex_table.h"
#include "views/tables/error_review.h"

namespace fathom {

// Two models on the same examples.
struct ModelPair {
  int first = 0, second = 0;
  McNemarTest test;
  PairedBootstrap bootstrap;  // of the difference in exact match
};
// All pairs, first < second. Some 20 ms a pair: in a job.
std::vector<ModelPair> compareModels(const std::vector<std::vector<int>>& right);
// right[model][example] by exact match.
std::vector<std::vector<int>> rightByModel(const ErrorReview& review);
// Examples that `first` has right and `second` wrong.
std::vector<int> onlyFirstRight(const ErrorReview& review, int first, int second);

// Columns of pairsTable that stand for examples.
enum PairColumn { kPairOnlyFirst = 2, kPairOnlySecond };
PaperTable pairsTable(const ErrorReview& review, const std::vector<ModelPair>& pairs);
// Rows: what the program says; columns: what the person says; of one model's predictions judged by hand.
PaperTable agreementTable(const ErrorReview& review, int model);
// "31 of 37 judged alike (84 %), kappa 0.71"
QString agreementText(const ErrorReview& review, int model);

}  // namespace fathom
