// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
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

enum class PlaceDeed { Look, Prepare, Measure };
// Looks at a place, prepares it, or measures how fast two of its processes add up gradients, and writes down
// in the project's journal of the place what came of it; what was measured stays there. A place whose
// launcher has nothing to look at is judged by what this machine needs for it and by the disk of the project.
// May block for minutes; `stop` ends it.
Result<PlaceLook> visitPlace(const std::string& project, const PlaceRecord& record, PlaceDeed deed,
                             const PlaceTalk& talk, Progress& progress, const StopToken& stop);
// Sums of gradients there as they were measured last; nothing where nobody did.
struct MeasuredLink {
  double latency = 0;    // seconds of a message
  double bandwidth = 0;  // bytes a second
};
std::optional<MeasuredLink> measuredLink(const std::string& project, const std::string& place);
// True where the launcher of the place has work of its own for it.
bool hasDeed(const PlaceRecord& record, PlaceDeed deed);
// The host of its own that a place is on; "" where it shares this disk.
std::string hostOfPlace(const PlaceRecord& record);

}  // namespace fathom
