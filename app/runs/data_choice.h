// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/options/option_field.h"
#include "core/record/presets.h"
#include "core/tasks/data_set.h"

namespace fathom {

// A data set that somebody pointed at, as options of a run.
struct DataChoice {
  const DataSetKind* kind = nullptr;
  FoundDataSet found;
};

// `task`: the one that is wanted, or "". Data error naming the path and the kinds that are known where it
// holds none. May wait for a disk; any thread.
Result<DataChoice> chooseData(const std::string& path, const std::string& task = {});
// The options that the schema has, and pre-trained weights under the name that goes with `values`.
Json optionsFor(const DataChoice& choice, const OptionSchema& schema);
// The option that names what is missing: of pre-trained weights the one that is active in `values`; "" where
// they take none.
std::string keyOfMissing(const MissingData& missing, const OptionValues& values);
// The preset that a run on the data set starts from. Internal error where the entry names none that is there.
Result<Preset> presetOf(const DataChoice& choice);

}  // namespace fathom
