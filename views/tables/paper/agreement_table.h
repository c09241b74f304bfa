// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/files/latex_table.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

// Rows: what the program says; columns: what the person says; of one model's predictions judged by hand.
PaperTable agreementTable(const ReviewedPredictions& review, int model);
// Selection strings of the examples behind its cells, by row and column.
std::vector<std::vector<std::string>> agreementCells(const ReviewedPredictions& review, int model);
// "31 of 37 judged alike (84 %), kappa 0.71"
QString agreementText(const ReviewedPredictions& review, int model);

}  // namespace fathom
