// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/record/runs/run_folder.h"

namespace fathom {

// Beside the configuration of an attempt: where it was trained, as the runner that watched it knows. Attempts
// of older projects have none, and those of an engine that a person started in a shell.
inline constexpr const char* kAttemptPlaceName = "place.json";
struct AttemptPlace {
  std::string place;     // of places.json, "local" for the machine of the project
  std::string job;       // the place's own name of it: "17_3", "process 4711"
  std::string host;      // "" = not known
  std::string end = {};  // cause by which the place ended it where its engine had the time to save; "" = none
  bool operator==(const AttemptPlace&) const = default;
};
// Nothing where it is missing or cannot be read.
std::optional<AttemptPlace> attemptPlace(const RunFolder& folder, int attempt);
Status writeAttemptPlace(const RunFolder& folder, int attempt, const AttemptPlace& place);

// What a watcher of a run has written of its last attempt.
struct KeptPlace {
  int attempt = 0;
  AttemptPlace place = {};
};
// Writes where the last attempt of the run is trained, if it began after `attemptsBefore` others and that is
// not written yet. Without a host of `now` the run's lock or its copy tells it. A disk that does not take it
// is no reason to end anything.
void keepAttemptPlace(const std::string& runPath, int attemptsBefore, AttemptPlace now, KeptPlace& kept);

}  // namespace fathom
