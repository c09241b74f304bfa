// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/train/state/stored_run.h"

namespace fathom {

// Completed outputs of free input by the example ids of its batches, which are below `count`; nothing where
// no batch has the example. Throws Failure.
std::vector<std::optional<Prediction>> predictFree(const StoredRun& stored, const Objective& objective,
                                                   const std::vector<HostBatch>& batches, std::size_t count,
                                                   const StopToken& stop);

// Why lines without what is to be filled have no output.
Phrase nothingToFill(const TextFindings& found);

}  // namespace fathom
