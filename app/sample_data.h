// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/option_field.h"

namespace fathom {

// The presets of the generated sample ("sample_…") name no files: their data is made in the project.
bool usesSampleData(const std::string& preset);
// {"data.train": <project>/data/train.tsv, "data.validation": …, "data.test": …}, there or not.
Json sampleDataFiles(const std::string& project);
// Writes (over) the three files.
Status writeSampleData(const std::string& project);
// Makes the sample where `values` name its training file and none of its files is there yet; else (and
// without a project) does nothing. Resource error where the project cannot be written to.
Status makeSampleData(const std::string& project, const OptionValues& values);

}  // namespace fathom
