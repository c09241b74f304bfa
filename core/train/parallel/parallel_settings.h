// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/options/option_field.h"

namespace fathom {

// How the ranks of a run work together. None of it changes what is computed but for the last bits
// (`ordered`).
struct ParallelSettings {
  std::int64_t ranks = 1;    // to be started here where no other program has started them
  bool ordered = false;      // gradients are added in the order of the ranks, as one process does
  std::string interface;     // of the network, empty = the one that leads to where they meet
  double timeout = 600;      // seconds that a rank may be silent
  std::int64_t check = 500;  // updates after which the weights are compared, 0 = never
};

ParallelSettings parallelSettings(const OptionValues& options);
std::vector<OptionField> parallelOptionFields();

// Each rank must have as many micro-batches of an update as any other. The error names the numbers that fit.
Status checkShares(std::int64_t accumulation, std::int64_t ranks);

}  // namespace fathom
