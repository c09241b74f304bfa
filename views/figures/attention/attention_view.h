// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "views/figure/figure_spec.h"

namespace fathom {

// The forms of figure attention_maps, by its options form, part, attention, layer, head, example, checkpoint:
// every head of every layer as a thumbnail; one head as a matrix of tokens; one head as lines from query to
// key tokens (more than 64 tokens: the matrix, which stays readable). One panel a run. A data error says
// which attentions and parts the model has.
Result<FigureSpec> attentionFigure(AnalysisSource& source, const OptionValues& options);
// The head that `selection` names, as matrix and lines; a query token in it thins the lines of the others.
Result<FigureSpec> attentionHeadDetail(AnalysisSource& source, const OptionValues& options,
                                       const std::string& selection);
// A word beside the lines: long ones keep their beginning and their end; the pointer over the matrix tells
// them whole.
std::string shortWord(const std::string& word, int most = 9);

}  // namespace fathom
