// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/review/kept_executions.h"
#include "core/spider/judgement/spider_review.h"

namespace fathom {

// Executes the queries of a review that is opened from its files, where they name databases, and categorises
// with what came out: window and figures put an example where the shell puts it. What is kept of these very
// files is taken instead; what was executed is kept. A sandbox that does not start is a note.
Status executeStoredReview(SpiderReview& review, const SpiderSources& sources, const KeptExecutions& kept,
                           Progress& progress, const StopToken& stop);

// The review executions that a project keeps.
KeptExecutions keptExecutions(const std::string& project, bool writable);

}  // namespace fathom
