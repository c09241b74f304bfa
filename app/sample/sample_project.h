// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/runner/engine_description.h"
#include "app/runs/training_request.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/run_listing.h"

namespace fathom {

// A run of the sample project: the small model that learns in seconds, and twelve layers under three residual
// schemes (Admin §3).
struct SampleRun {
  std::string name;
  std::string preset;
  std::string scheme;  // "post_ln", "pre_ln", "admin"
  double cost = 1;     // of an update, relative to the small model's
  std::int64_t updates = 0;
};
const std::vector<SampleRun>& sampleRuns();

// A file in the project folder by which the sample is known: other projects may hold its data, too.
inline constexpr const char* kSampleMark = "/sample.json";

// Opens the sample project, or makes it: project folder, mark, and the made data in <project>/data.
Result<std::unique_ptr<ProjectLibrary>> openSampleProject(const std::string& project);
// Entries to queue for the sample: runs that are neither done nor queued; one that was stopped is resumed.
// Processor only, one thread each, all at once, so that their curves are beside each other in the first
// minute: the same on every machine (the queue's settings are changed).
Result<std::vector<QueueEntry>> sampleEntries(ProjectLibrary& library, const EngineDescription& engine);
// The row of each sample run that is there, newest of its name, in the order of sampleRuns().
Result<std::vector<RunRow>> sampleRunRows(ProjectLibrary& library);

}  // namespace fathom
