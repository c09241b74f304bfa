// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/attention/analysis_loader.h"
#include "core/base/json/json.h"

namespace fathom {

class LibrarySource;

// Choices that a figure has for the runs of `loaded`; both functions fill loaded->offers. Thread of the
// source.
//
// Text options of results that `wanted` describes: attentions and stacks of the model, other checkpoints, and
// which parts there are of the scores of attention.
void offerProbedParts(LibrarySource& source, const AnalysisAsk& ask, const Json& wanted,
                      LoadedAnalysis* loaded);
// Stability grids: options in which the runs differ, and their metrics. Figures of all states of a run: the
// attentions or stacks that are followed.
void offerParts(LibrarySource& source, const AnalysisAsk& ask, LoadedAnalysis* loaded);

}  // namespace fathom
