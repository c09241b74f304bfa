// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/library/records/project_library.h"

namespace fathom {

// Folder of the sample's run that was trained before, there or not.
std::string trainedRunPath(const std::string& project);

// Puts the recording of that run (resources/sample, written anew by packaging/sample_run.sh) into a sample
// that was just made: its curve, what its heads look at and its translations are there before anything has
// been trained. It names the data of this project and has no checkpoints. Nothing happens in a project that
// has it, or that cannot be written to; after an error nothing is left of it. Any thread.
Status placeTrainedRun(const ProjectLibrary& library, Progress& progress, const StopToken& stop);

}  // namespace fathom
