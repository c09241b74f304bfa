// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/record/presets.h"

namespace fathom {

// Presets that a person saved: files like those of the program in fathom/presets of the user's configuration
// folder ($XDG_CONFIG_HOME). A file that is none, or has the id of one of the program's, is left out.
std::string ownPresetFolder();
Result<std::vector<Preset>> ownPresets();
// One of the program's, else a person's.
Result<Preset> findAnyPreset(const std::string& id);
// Saves what differs from the defaults, without paths. A preset of the same title is replaced. Returns it.
Result<Preset> saveOwnPreset(const std::string& title, const std::string& madeFrom,
                             const OptionValues& values);

}  // namespace fathom
