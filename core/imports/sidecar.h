// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/imports/import_entry.h"

namespace fathom {

// A source beside which a person may have put `fathom.json`: {"name", "group", "options": {…}, "tags": […]}.
// It lies in the folder of a file, in a folder that is the source, or in the sub-folder that a run is named
// by; the nearest one counts, and supplies what the source does not say itself. The name of one that lies
// above several runs is not theirs: {"runs": {ID: {…}}} tells them apart, by what the source calls each (the
// id of W&B, trackio and MLflow), and goes before the rest of the file. What is wrong with one is a warning
// with file and line.
std::unique_ptr<ImportSource> withSidecar(std::unique_ptr<ImportSource> source, std::string path);

inline constexpr const char* kSidecarName = "fathom.json";

}  // namespace fathom
