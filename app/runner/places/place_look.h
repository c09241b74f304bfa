// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/runner/launcher.h"

namespace fathom {

// Something that a look has found out, as a row: what it is, what was found, and what to do where that is in
// the way.
struct PlaceFinding {
  Phrase what, found, remedy;
  bool trouble = false;
};
// Facts in a fixed order; a trouble stands with the fact that it is about (Error::key), else by itself.
std::vector<PlaceFinding> placeFindings(const PlaceLook& look);

// A look, or why there was none, with its time.
struct KeptLook {
  double at = 0;  // seconds since epoch; 0: nobody has looked yet
  PlaceLook look = {};
};
Json keptLookToJson(const KeptLook& kept);
KeptLook keptLookFromJson(const Json& json);

enum class PlaceDeed { Look, Prepare };
// Looks at a place, or prepares it, and writes down in the project's journal of the place what came of it. A
// place whose launcher has nothing to look at is judged by what this machine needs for it and by the disk of
// the project. May block for minutes; `stop` ends it.
Result<PlaceLook> visitPlace(const std::string& project, const PlaceRecord& record, PlaceDeed deed,
                             const PlaceTalk& talk, Progress& progress, const StopToken& stop);
// True where the launcher of the place has work of its own for it.
bool hasDeed(const PlaceRecord& record, PlaceDeed deed);
// The host of its own that a place is on; "" where it shares this disk.
std::string hostOfPlace(const PlaceRecord& record);

}  // namespace fathom
