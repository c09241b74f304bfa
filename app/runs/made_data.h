// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/tasks/task.h"

namespace fathom {

// The presets of made data (Preset::madeData) name no files: their data is made in the project.
bool usesMadeData(const std::string& preset);
// {"data.train": <project>/data/train.tsv, "data.validation": …, "data.test": …}, there or not, as the task
// makes them, of other tasks than the first in <project>/data/<task>; empty for none and for a task without
// made data.
Json madeDataFiles(const std::string& project, const TaskEntry* task);
// Writes (over) the files.
Status writeMadeData(const std::string& project, const TaskEntry* task);
// Makes the sample where `values` name its training file and none of its files is there yet; else (and
// without a project) does nothing. Resource error where the project cannot be written to.
Status makeMissingData(const std::string& project, const OptionValues& values);

}  // namespace fathom
