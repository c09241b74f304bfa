// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// The page that the sample's Figures workspace shows: what trained, and what the analyses of two runs show
// beside it, as far as they can be drawn now. Stored once: nothing happens in a project that has a
// composition (but storeTrainedComposition's), or where less than two figures can be drawn. True when it was
// stored. Any thread.
Result<bool> storeSampleComposition(const std::string& project, Progress& progress, const StopToken& stop);

// The page that it begins with: the same of the run that was trained before. Stored once, and not again where
// somebody deleted it; nothing happens in a project that lacks that run or has other compositions.
Result<bool> storeTrainedComposition(const std::string& project, Progress& progress, const StopToken& stop);

}  // namespace fathom
