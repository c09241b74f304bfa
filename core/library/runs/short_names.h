// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/options/option_field.h"

namespace fathom {

class ProjectLibrary;
struct GridRecord;
struct RunRow;

// A run among others that are shown with it. `values` are not empty for a combination of a grid whose name
// nobody changed: the values of the grid's axes, in words.
struct RunToName {
  std::string uuid;
  std::string name;                 // the whole one
  std::string grid, gridName = {};  // UUID; what the grid is called
  std::vector<std::string> values = {};
};
// Effective options of the run at this place; asked only of runs that are called the same.
using OptionsOf = std::function<Json(std::size_t run)>;

// Short names of runs that are shown together, in the order of `runs`: what all share is left out, what
// differs stays ("Post-LN", "Admin · 12 L · seed 2"). Runs of one grid are called by the axes in which they
// differ, other runs by their names without the words that all begin or end with; runs that are called the
// same by the options in which they differ too, and where there are none by their UUIDs. Two runs never have
// the same name, one run always has one (whatever else is the same, the order too).
std::vector<std::string> shortRunNames(const std::vector<RunToName>& runs, const OptionSchema& titles,
                                       const OptionsOf& optionsOf = {});

// A value of an option as a short name says it: "Post-LN", "12 L", "seed 2", "Learning rate 0.001". `key`
// may be an axis over several options; a setting of a grid is its name.
std::string optionWords(const OptionSchema& titles, const std::string& key, const Json& value);

// Names that grids give to their runs, by UUID; without `name`.
std::map<std::string, RunToName> namesOfGrids(const std::vector<GridRecord>& grids,
                                              const OptionSchema& titles);

// The same for rows of a project (which may be of runs that it does not have).
std::vector<std::string> shortRunNames(ProjectLibrary& library, const std::vector<RunRow>& rows,
                                       const OptionSchema& titles);

// Titles of options and their values, as the engine said last in this process: empty until then. Any
// thread.
std::shared_ptr<const OptionSchema> optionTitles();
void setOptionTitles(const OptionSchema& titles);

}  // namespace fathom
