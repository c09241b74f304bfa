// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// The logging part of `fathom-bench curves` (C8): log `points` scalars over `tags` metrics as the engine
// does, then open them again in every way the window does. Times in seconds.
struct PointLogBench {
  std::int64_t points = 0;
  int tags = 0;
  std::uint64_t bytes = 0;   // event file
  double writeSeconds = 0;   // EventLog::appendStep, every line acknowledged, the last sync included
  double readSeconds = 0;    // readRunScalars
  double indexSeconds = 0;   // into index.sqlite, reading included
  double reopenSeconds = 0;  // all series out of the index
};
// Works in a new folder under `folder`, which is removed again. Checks that every point came back.
Result<PointLogBench> benchPointLog(const std::string& folder, std::int64_t points, int tags,
                                    Progress& progress, const StopToken& stop);

}  // namespace fathom
