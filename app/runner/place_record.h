// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/options/option_field.h"

namespace fathom {

// A named place of places.json: how and with what engines are started there. It never holds a secret: keys
// and passwords are those of the program that reaches the place.
struct PlaceRecord {
  std::string id;
  std::string launcher;                  // an id of launchers.list
  std::string transport = "here";        // how it is reached; "here": commands of this machine
  std::string root;                      // folder at a place that does not share our disk
  OptionValues resources, limits;        // of the launcher's fields
  std::vector<std::string> head = {};    // lines of the script's head as they are
  std::vector<std::string> before = {};  // lines of the shell before the engine: modules, environments
  std::string file = {};                 // it stands in; "": nobody wrote it down, a launcher's own
};

// places.json of a project (before those of the user), and of the user ($XDG_CONFIG_HOME/fathom).
std::string placesFile(const std::string& project);
std::string userPlacesFile();
// All places: of the project, of the user where the project has none of the name, and every launcher with its
// defaults under its own name. Data error naming file, place, key and value.
Result<std::vector<PlaceRecord>> readPlaces(const std::string& project);
// unavailable, naming those that there are.
Result<PlaceRecord> findPlace(const std::string& project, const std::string& id);
// A record as it stands in the file; `source` is named in errors.
Result<PlaceRecord> placeFromJson(const std::string& id, const Json& json, const std::string& source);
Json placeToJson(const PlaceRecord& record);
// Adds the place or puts it in the place of one of its name.
Status savePlace(const std::string& file, const PlaceRecord& record);
// Unavailable where the file has none of the name.
Status removePlace(const std::string& file, const std::string& id);

}  // namespace fathom
