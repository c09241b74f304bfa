// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/record/runs/run_folder.h"

namespace fathom {

// The most processes that an attempt of the run was trained by, as its first event says, whoever started
// them (docs/parallel.md); 1 where none says so. Reads the head of each log.
std::int64_t ranksOfRun(const RunFolder& run);

}  // namespace fathom
