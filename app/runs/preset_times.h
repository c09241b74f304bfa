// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// What a dry run has told of a preset.
struct PresetTime {
  double seconds = 0;  // of all runs of a grid
  std::string at;      // ISO 8601 UTC
};

// How long presets take on this machine, as dry runs have told: preset_times.json in the user's
// configuration folder ($XDG_CONFIG_HOME/fathom), by host. A file that cannot be read tells nothing, and is
// replaced. One thread.
class PresetTimes {
 public:
  PresetTimes();
  // `options`: what the preset sets, with the axes of a grid; null where nobody has timed exactly that here.
  const PresetTime* find(const std::string& preset, const Json& options) const;
  // On the disk at once.
  Status keep(const std::string& preset, const Json& options, double seconds);

 private:
  std::map<std::string, PresetTime> m_times;  // by preset and digest of its options
  Json m_others = Json::object();             // of other hosts
};

std::string presetTimesFile();

}  // namespace fathom
