// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/json/json.h"

namespace fathom {

// Readers of a foreign writer's words on its run in run.json (resources/help/run_folder.md). All of it is
// read from the provenance, where RunFolder::identity() puts it.

// Notes that fill the fields of the library when the run is first seen; a person's later edit wins.
struct BroughtNotes {
  std::string group, jobType, notes;
  std::vector<std::string> tags;
  // The tags, and the group and the kind of job as "group:NAME", "job:NAME"; each once, in alphabetical
  // order.
  std::vector<std::string> allTags() const;
};
BroughtNotes broughtNotes(const Json& provenance);

// "fathom.py 1.0": the program that wrote the run, "" for a run that was imported or is ours.
std::string runWriter(const Json& provenance);
// The recorded command for a shell, "cd FOLDER && python3 train.py --lr 0.1"; "" where none was recorded.
// With the absolute path of the run's folder what fathom.py wrote is gone on with, as the next attempt of
// that run.
std::string recordedCommand(const Json& provenance, const std::string& runFolder = {});

// Origin of a run, "" when it was trained here: by the provenance of its run.json. For a run that
// another program wrote as a run folder its name, with the group that the run says it belongs to.
std::string importOrigin(const Json& provenance);

}  // namespace fathom
