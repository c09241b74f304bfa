// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/launcher.h"

namespace fathom {

// Version and partitions of a place's Slurm, and of its host what every host is asked, in one connection.
Result<PlaceLook> lookAtSlurm(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                              const StopToken& stop);
// Brings the engine to the host; usage error where there is none.
Result<PlaceLook> prepareSlurm(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                               const StopToken& stop);

// The look, and how fast two processes of a node, or of two, add up gradients (ssh/host_sums.h): a job of
// Slurm that begins at once or is given up.
Result<PlaceLook> measureSlurm(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                               const StopToken& stop);

}  // namespace fathom
