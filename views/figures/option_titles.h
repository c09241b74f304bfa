// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/phrase.h"

namespace fathom {

// Names of options of runs in figures, as the window says them (optionTitles(); a figure that uses them has
// FigureEntry::ofOptions).

// The key where the engine was not asked, or does not know it.
std::string optionTitle(const std::string& key);
// What an axis calls an option (markup); where others of `shown` have its title, its key is added.
Phrase optionLabel(const std::string& key, const std::vector<std::string>& shown);

}  // namespace fathom
