// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/runner/engine_description.h"
#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

// Where runs are started: a name of places.json (app/runner/place_record.h).
OptionField placeField();
// The same for several runs, which several places share.
OptionField placesField();
// The place that was asked for.
struct AskedPlace {
  std::string id;
  bool here = true;  // engines run on this machine: its devices and memory are theirs
};
Result<AskedPlace> askedPlace(const std::string& project, const OptionValues& options);
// Error where commands of one's own are not started there: on this machine alone they are.
Status checkStartsScripts(const AskedPlace& place);
// Those of placesField, each once, in their order; this machine where none is named.
struct AskedPlaces {
  std::vector<std::string> ids;
  bool here = false;       // this machine is one of them
  bool elsewhere = false;  // and so is another
};
Result<AskedPlaces> askedPlaces(const std::string& project, const OptionValues& options);
// Gives each entry one of them (shareOut); "box 2, cluster 6".
Result<std::string> shareOutAmong(const std::string& project, const AskedPlaces& places,
                                  const EngineDescription& engine, std::vector<QueueEntry>& entries);

}  // namespace fathom
