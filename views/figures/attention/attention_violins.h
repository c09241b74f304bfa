// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_distribution.h"
#include "views/figure/figure_spec.h"

namespace fathom {

// Look of violins of layers and heads (RealFormer Figs 4-6).
struct ViolinLook {
  Phrase quantity;           // "Attention entropy (nats)"
  Phrase axis;               // the same for a narrow axis: "entropy (nats)"
  bool sorted = false;       // heads by their median, inside each layer
  double low = 0, high = 0;  // medians below are "low", above are "high"
  double maximum = 1;        // of the shown values, of all panels; 0 = the largest there is
  double minimum = 0;        // of the shown values, of all panels, below 0; what is drawn may be smaller
  bool below = false;        // values may lie below 0: the range begins at the smallest there is
  double factor = 1;         // multiplies values for display
  // Low, middle, high: whether a head of the figure is one; only those are in the key.
  std::array<bool, 3> occurs = {true, true, true};
  // The thresholds are parts of this, the logarithm of the longest row; 0 = they are numbers of their own.
  double whole = 0;
  bool safeColours = true;  // colour-blind safe instead of the paper's red, yellow, blue
};

struct AttentionResult {
  ProbedResult source;
  AttentionDistribution attention;
  std::int64_t tokens = 0;
  int look = 0;  // the run's, AnalysisSource::colourOf
};

// The attention that the option "attention" names ("encoder.self_attention", "" = the first) of every chosen
// run. A data error lists what there is.
Result<std::vector<AttentionResult>> attentionResults(AnalysisSource& source, const std::string& analysis,
                                                      const OptionValues& options);
// The largest value of the attentions of `results` at all their checkpoints, where the option "scale" asks
// for them; 0 where it does not, or nothing is larger than what is shown.
double largestOfAll(AnalysisSource& source, const std::string& analysis, const OptionValues& options,
                    const std::vector<AttentionResult>& results);
// Low, middle, high: those that a head is in, of `results` and of all checkpoints that the option "scale"
// asks for.
std::array<bool, 3> occurringClasses(AnalysisSource& source, const std::string& analysis,
                                     const OptionValues& options, const std::vector<AttentionResult>& results,
                                     const ViolinLook& look);
// The largest value of `results` themselves.
double largestShown(const std::vector<AttentionResult>& results);
// The smallest in the same way; 0 where the option does not ask, or nothing is below 0.
double smallestOfAll(AnalysisSource& source, const std::string& analysis, const OptionValues& options,
                     const std::vector<AttentionResult>& results);
// One panel a run with a violin for each layer and head, its colour along the top; all share one range and
// one key of the colours. Two panels stand side by side, more in two columns, so that they fit a column of
// text.
FigureSpec attentionViolins(const std::vector<AttentionResult>& results, const ViolinLook& look);
// Millimetres that give every layer its room.
double violinHeight(const std::vector<AttentionResult>& results);
// The options of figures of attention: checkpoint, computed, attention, colours, size.
std::vector<OptionField> attentionFields();

}  // namespace fathom
