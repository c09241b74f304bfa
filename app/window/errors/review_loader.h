// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/predictions/run_predictions.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/review/stored_review.h"
#include "views/tables/reviewed_predictions.h"
#include "views/tables/run_item.h"

namespace fathom {

// Reads and judges predictions of any kind and joins them with what the project's library knows about them.
// Remembers the sources in the project when it went well. Any thread; errors name file and line.
Result<std::unique_ptr<OpenReview>> loadReview(const std::string& project, const ReviewSources& sources,
                                               Progress& progress, const StopToken& stop);

// What the project looked at last, nothing when it never did. Error: it is known but cannot be read.
Result<std::optional<ReviewSources>> rememberedReview(const std::string& project);

// Writes the made data into <project>/samples/text_to_sql (unless it is there) and says where its
// parts are.
Result<ReviewSources> sampleReviewSources(const std::string& project);

// The kind of review of a run's task, "" = none.
std::string reviewKindOfRun(const RunItem& run);
ReviewedRun reviewedRun(const RunItem& run);
// The stored prediction sets of a run, each a model named after its checkpoint, with the files that the run's
// options name: those of the part of the data that was predicted last. Reads the heads of the sets. Errors:
// the task has no review, nothing is stored, an option names no file.
Result<ReviewSources> runReviewSources(const RunItem& run, const std::string& project);

// Files that usually lie beside a gold file (ReviewFile::beside). Those that `sources` has stay.
void fillFromBeside(ReviewSources& sources);

}  // namespace fathom
