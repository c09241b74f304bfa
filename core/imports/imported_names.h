// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/imports/import_entry.h"

namespace fathom {

// What a run of `source` is called: what was asked for, then what the source calls it.
std::string importedName(const ImportedRun& run, const ImportOptions& options, const std::string& source);
// A folder in `runsFolder` for a run of this name that nothing is at yet.
std::string freeRunPath(const std::string& runsFolder, const std::string& name, const std::string& uuid);
// The entry with this id; a usage error that names them all.
Result<const ImportEntry*> importNamed(const std::string& format);

}  // namespace fathom
