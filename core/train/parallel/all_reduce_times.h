// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/errors/result.h"
#include "core/train/parallel/gradient_exchange.h"

namespace fathom {

// Seconds of one all-reduce of float32 numbers over several ranks, medians of a few.
struct AllReduceTimes {
  int ranks = 2;
  double ofFew = 0;  // of 16 bytes
  double bytes = 0, ofMany = 0;
};
// All ranks call it at the same time. Throws Failure.
AllReduceTimes timeAllReduce(GradientExchange& exchange);
// Between two ranks that are threads of this process, by this machine's loopback: a third of a second. A
// build without Gloo has none (unavailable).
Result<AllReduceTimes> timeAllReduceHere();

}  // namespace fathom
