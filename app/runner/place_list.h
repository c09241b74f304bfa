// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/runner/launcher.h"
#include "app/runner/place_notes.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

// A place as it is known here without asking it.
struct ListedPlace {
  PlaceRecord record;
  std::string title;             // of its launcher, English
  std::optional<Error> trouble;  // why engines cannot be started there from this machine
  int running = 0, waiting = 0;  // runs of this project's queue
  int most = 0;                  // runs that it takes at once; 0: as many as come
};
// This machine first, then those that somebody wrote down, then launchers' own that could be used as they
// are. `here`: runs that this machine takes at once. Data error of readPlaces.
Result<std::vector<ListedPlace>> listPlaces(const std::string& project,
                                            const std::vector<QueueEntry>& entries,
                                            const std::map<std::string, PlaceNote>& notes, int here);

// Slots of a place among which runs are shared out.
struct PlaceLoad {
  std::string id;
  int taken = 0;  // runs that work or wait there
  int most = 0;   // 0: no limit
};
PlaceLoad loadOf(const ListedPlace& place);
// Places of so many runs, in their order: in turn those that have a free slot, then the one that is least
// loaded for its size. `loads` holds at least one.
std::vector<std::string> shareOut(std::size_t runs, std::vector<PlaceLoad> loads);
// Gives each entry one of the places of these ids. unavailable, naming the place that is not there; what
// keeps runs from being started at one of them.
Status shareOutEntries(const std::string& project, const std::vector<std::string>& places, int here,
                       std::vector<QueueEntry>& entries);

}  // namespace fathom
