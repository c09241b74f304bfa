// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/library/records/project_library.h"

namespace fathom {

// True for a project that openSampleProject() made.
bool isSampleProject(const std::string& project);

// The analyses that the sample shows, of its ended runs, at the first and at the newest weights: those that
// are not stored yet, the cheapest runs first, each in one engine for both checkpoints; its pages of figures,
// too (sample_composition.h). Progress in checkpoints of all of them (kCheckpointUnit). A stop kills the
// engine; what is stored stays, and the next call goes on from there. Returns how many results were computed.
// Any thread.
// `say` is told how long an analysis takes where that is minutes, on this thread; may be empty.
Result<int> computeSampleAnalyses(const std::string& project, Progress& progress, const StopToken& stop,
                                  const std::function<void(const Phrase&)>& say = {});

}  // namespace fathom
