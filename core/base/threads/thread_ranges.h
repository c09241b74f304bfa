// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "core/base/errors/result.h"

namespace fathom {

// Calls body(first, last) for consecutive ranges that together are [0, count), on at most `threads` threads,
// the calling one among them. Returns when all have ended.
//
// Nothing leaves a thread: what a body throws comes back as the error (a Failure's own error; memory that
// could not be had; anything else is internal), that of the lowest range where several fail. Threads that
// cannot be started are done without: their ranges are run by the caller.
Status forRanges(std::size_t count, int threads,
                 const std::function<void(std::size_t first, std::size_t last)>& body);

}  // namespace fathom
