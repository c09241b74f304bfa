// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// Sources of other programs as `fathom-bench foreign` reads them, made by rules. Folders must be there.

// A number that stands at a step of a curve of a run, exact as a float.
float madeScalar(int run, int tag, std::int64_t step);

// <folder>/run_<n>/events.out.tfevents.…: `runs` runs of `tags` curves, `points` numbers each run has in all.
Status writeEventRuns(const std::string& folder, int runs, int tags, std::int64_t points);
// One run of `steps` steps, each with so many scalars.
Status writeWideRun(const std::string& folder, int scalars, int steps);
// A .wandb file of at least so many bytes: history of eight metrics. The result is how many points it has.
Result<std::int64_t> writeWandbRun(const std::string& path, std::size_t bytes);

}  // namespace fathom
