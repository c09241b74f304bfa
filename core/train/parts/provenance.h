// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/tasks/task.h"

namespace fathom {

inline constexpr const char* kProgramName = "fathom-engine";
std::string programVersion();
std::string cpuModelName();
// {"torch": "2.11.0", "sentencepiece": ...}
Json libraryVersions();

// Provenance of a run, for run.json: program, revision, libraries, host, processor, threads, environment
// of the math libraries, data hashes.
Json makeProvenance(int threads, const std::string& device, const std::vector<DataHash>& data);
// The part of it that must be equal for a resumed run to be bit-exact.
Json bitExactEnvironment(int threads, const std::string& device);

}  // namespace fathom
