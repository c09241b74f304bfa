// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "views/figure/figure_spec.h"
#include "views/figures/attention/attention_violins.h"

namespace fathom {

// One head, large: its violin for every run, and its median with quartiles over the updates that have
// results. `selection` names layer and head; a usage error where it does not, or no run has that head.
Result<FigureSpec> attentionDetail(AnalysisSource& source, const std::string& analysis,
                                   const OptionValues& options, const ViolinLook& look,
                                   const std::string& selection);

}  // namespace fathom
