// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

struct RankUpdatesBench {
  std::string preset = "sample_small";
  std::vector<std::string> assignments;  // "model.width=512", over the preset's options
  std::int64_t ranks = 2;                // where no other program has started them
  std::int64_t updates = 20;             // of one measurement, each of as many batches as there are ranks
  std::int64_t rounds = 5;
  std::string peerScript, python = "python3";
};
// Updates of one thread a process, on the same weights and batches without dropout: one process with all
// batches of an update, ranks with one each, and torch's DistributedDataParallel (gloo) with one each, by
// turns. Equal first: the losses of the first updates of all three. Prints one JSON object: seconds and
// processor seconds of an update, the shares of an update that waits for the sum and of the sum that is
// hidden behind the backward pass, and the efficiency that docs/parallel.md predicts beside the measured one.
// Its ranks are processes of this program; on two machines a starter starts them with the same line.
Status benchRankUpdates(const RankUpdatesBench& bench);

}  // namespace fathom
