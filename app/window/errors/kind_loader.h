// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/predictions/run_predictions.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "views/tables/kind_error_review.h"
#include "views/tables/run_item.h"

namespace fathom {

// Reads and judges predictions of any kind and joins them with what the project's library knows about them.
// Remembers the sources in the project when it went well. Any thread; errors name file and line.
Result<std::unique_ptr<OpenKindReview>> loadKindReview(const std::string& project, const KindSources& sources,
                                                       Progress& progress, const StopToken& stop);
// What the project looked at last; nothing when that was SQL, or nothing.
Result<std::optional<KindSources>> rememberedKindReview(const std::string& project);
// Predictions of SQL were opened after those of another kind.
Status forgetKindReview(ProjectLibrary& library);

// The kind of review of a run's task, "" = none.
std::string reviewKindOfRun(const RunItem& run);
ReviewedRun reviewedRun(const RunItem& run);
Result<KindSources> runKindSources(const RunItem& run, const std::string& project);

}  // namespace fathom
