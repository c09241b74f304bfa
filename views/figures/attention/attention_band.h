// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_maps.h"
#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "views/figure/figure_spec.h"

namespace fathom {

// Attention of a long stream and a global one (ETC; docs/long_inputs.md §2) as figure attention_maps shows
// it, never as a square of all tokens. Of long queries: the band, a column for each distance to the key, and
// the global tokens; of global queries: the long tokens and the global ones. No map has more than
// kMostBandCells rows or columns: beyond that a cell is the largest of its neighbours, and a figure says so.
// Arrays are read head by head.
inline constexpr int kMostBandCells = 1024;

// Options: where the shown queries begin, how many there are, and a global token that is followed.
std::vector<OptionField> bandFields();

// True if a stored result is one of two streams.
bool isOfTwoStreams(const AttentionMatrices& matrices);

// The figure by the options of attention_maps; one panel pair a run. Usage errors name the layers and parts
// that are kept, and what a run of one stream is.
Result<FigureSpec> bandFigure(AnalysisSource& source, const OptionValues& options);
// The head that `selection` names, large. A query in it is followed: a long token with those of its sentence
// or paragraph, a global token with the long tokens that it stands for.
Result<FigureSpec> bandDetail(AnalysisSource& source, const OptionValues& options,
                              const std::string& selection);

}  // namespace fathom
