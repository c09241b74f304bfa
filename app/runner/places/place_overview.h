// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/runner/place_journal.h"
#include "app/runner/place_list.h"
#include "app/runner/places/place_look.h"

namespace fathom {

// What is known of a place without asking it. Here: this machine, or a disk shared with it, and nothing is in
// the way; Broken: engines cannot be started there from this machine; Silent: the runner that follows runs
// there does not hear it; Answers: it was heard within a minute; Heard: some time before; Failed: the last
// look did not reach it, and nothing was heard since; Unasked.
enum class PlaceWay { Here, Broken, Silent, Answers, Heard, Failed, Unasked };

struct PlaceOverview {
  ListedPlace place;
  PlaceWay way = PlaceWay::Unasked;
  std::string host;                 // "" where it has none of its own
  bool elsewhere = false;           // it has a disk of its own
  double heardAt = 0;               // seconds since epoch; 0: never
  std::string silentFrom;           // ISO 8601 UTC; "" while it is heard, or nobody listens
  std::optional<double> freeBytes;  // on its disk, when it was last looked at
  KeptLook look = {};
  std::vector<PlaceLine> lines = {};      // of its journal, the oldest first
  std::optional<PlaceLine> trouble = {};  // the last of them that tells of one
};

// Every place of the project and of the user, as listPlaces has them. Reads files alone.
Result<std::vector<PlaceOverview>> overviewOfPlaces(const std::string& project);

}  // namespace fathom
