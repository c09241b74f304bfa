// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

struct DataParallelBench {
  std::string preset = "sample_small";
  std::vector<std::string> assignments;  // "model.width=512", over the preset's options
  std::int64_t ranks = 2;
  std::int64_t updates = 40;  // that are measured of each training
  std::int64_t rounds = 3;    // of one process and ranks by turns
};
// Trains the made data of a preset in one process with as many batches an update as there are ranks,
// and with ranks, one thread each, by turns; checks that their last losses are equal and says seconds and
// processor seconds of an update of both. An error where the results differ.
Status benchDataParallel(const DataParallelBench& bench);

}  // namespace fathom
