// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

class ProjectLibrary;

// The look of a run as library.sqlite keeps it from when the run is created or imported: its configuration
// and the number of its look (core/base/numbers/series_look.h).
struct StoredLook {
  std::string configuration;
  int number = 0;
  bool operator==(const StoredLook&) const = default;
};
using StoredLooks = std::map<std::string, StoredLook>;  // by run UUID

// A word for what a run is besides its seed and where it runs; runs of one word share a hue. `origin`: where
// it was imported from, "" for a run of our own. A run without options is a configuration of its own.
std::string configurationWord(const std::string& uuid, const Json& options, const std::string& origin);

// Gives numbers to runs that have none: the hue of the configuration, or the one that the fewest
// configurations have, and the first of its variants that no run has. What was given stays.
class LookGiver {
 public:
  explicit LookGiver(StoredLooks known = {});
  const StoredLooks& looks() const { return m_looks; }
  // Number of a run's look; a new one where there is none.
  int numberOf(const std::string& uuid, const Json& options, const std::string& origin);
  // Runs that got a number since the last call.
  std::vector<std::string> takeFresh();

 private:
  void learn(const StoredLook& look);
  StoredLooks m_looks;
  std::map<std::string, int> m_hueOf;  // of configurations
  std::vector<int> m_configurations;   // of each hue
  std::vector<int> m_freeFrom;         // of each hue: no variant below is free
  std::set<int> m_taken;
  std::vector<std::string> m_fresh;
};

// Looks in the library. Some other program may have given a run its look meanwhile: then that one stays.
Result<StoredLooks> storedLooks(ProjectLibrary& library);
Status storeLooks(ProjectLibrary& library, const StoredLooks& looks);

// The number that a run is drawn with: its own, in the colour that a person chose ("#rrggbb") if any.
int shownLook(int number, const std::string& chosenColour);
// Looks of all runs of a project that have one, by UUID.
Result<std::map<std::string, int>> shownLooks(ProjectLibrary& library);
// Gives these runs of the project their looks now, in this order; or runs of our own that are to be, with
// their options.
Status keepLooks(ProjectLibrary& library, const std::vector<std::string>& uuids);
Status giveLooks(ProjectLibrary& library, const std::vector<std::pair<std::string, Json>>& runs);

// Value of RunNotes::colour for a word that people say: "blue" and the others of the palette, "#rrggbb";
// "automatic" is none. Usage error for anything else.
Result<std::string> colourText(const std::string& word);

}  // namespace fathom
