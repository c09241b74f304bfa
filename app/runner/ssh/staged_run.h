// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/runner/launcher.h"
#include "app/runner/ssh/placed_data.h"

namespace fathom {

// Texts that an engine at a host is given of a run that begins or goes on there.
struct StagedRun {
  std::string config;           // text of its configuration, with the paths of the host
  Json files = Json::object();  // by path in the run's folder: records of attempts that were settled here
};
// Data that the configuration names are brought. Unavailable where the run is to go on at a place that it was
// never at.
Result<StagedRun> stageRun(RelayChannel& channel, const JobRequest& job, PlacedPaths& placed,
                           const PlacedBytes& told, const StopToken& stop);

}  // namespace fathom
