// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/runner/launcher.h"

namespace fathom {

// Keys of a place that is a Slurm.
std::vector<OptionField> slurmResources();
std::vector<OptionField> slurmLimits();
// Data error naming the key, or the line of the head that would change what is relied upon: open mode,
// signal, requeue, array, comment, output.
Status checkSlurmPlace(const PlaceRecord& record);

// Nodes of a run and its processes on each of them. With one node a run is one task, whose engine starts the
// other processes itself.
struct SlurmSpread {
  int nodes = 1, each = 1;
  bool operator==(const SlurmSpread&) const = default;
};
// Usage error with both numbers where the processes cannot be shared out evenly over the nodes of the place.
Result<SlurmSpread> slurmSpread(const PlaceRecord& record, const JobRequest& request);

// One submission: an array of all requests, a job where it is one; all are spread alike.
struct SlurmSending {
  std::string uuid, folder;  // its files: script.sh, <task>.code, <task>.log
  std::span<const JobRequest> requests;
};
// The script gives the engine one command for its first life and every other. It has neither trap nor wait:
// with them bash reports its own code, not the engine's.
std::string slurmScript(const PlaceRecord& record, const SlurmSending& sending);
// The same of no run, to be looked at.
std::string slurmSampleScript(const PlaceRecord& record);
// Words for sbatch before the script's path. What is relied upon is said here, where nothing overrides it.
std::vector<std::string> sbatchWords(const PlaceRecord& record, const SlurmSending& sending);
// Words of a step of its own, with the place's resources, that begins within half a minute or is given up: a
// task, or one on each of two nodes where runs of the place have several. The command comes behind them.
std::vector<std::string> srunWords(const PlaceRecord& record);
// The command in `words`, once for a submission whose files lie in `folder`: asked for again it gives the
// answer that was kept there, and waits for one that is still asking.
std::vector<std::string> submitOnceWords(const std::string& folder, std::vector<std::string> words);
// The question whether the site would take a run of the place, which submits nothing.
std::vector<std::string> slurmTrialWords(const PlaceRecord& record);
// Variables of the user's that would override the script's head.
std::vector<std::string> overridingVariables(const PlaceRecord& record);
// By which a submission is found again.
std::string slurmComment(const std::string& uuid);

}  // namespace fathom
