// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace fathom {

// work(begin, end) on parts of [first, last), each of at least `grain` items, on as many threads as torch's
// own operators use (at::get_num_threads()) and in their pool. Returns when all parts are done; of what they
// throw the first is thrown again. Within another parallel region: one call on this thread.
//
// Not at::parallel_for: that is a template, which without -fopenmp compiles into one call on one thread, and
// with it clang would bring an OpenMP runtime of its own beside torch's.
void parallelFor(std::int64_t first, std::int64_t last, std::int64_t grain,
                 const std::function<void(std::int64_t, std::int64_t)>& work);

}  // namespace fathom
