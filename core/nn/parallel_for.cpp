// SPDX-License-Identifier: Apache-2.0
#include "core/nn/parallel_for.h"

#include <ATen/Parallel.h>
#include <c10/util/ParallelGuard.h>

#include <algorithm>
#include <atomic>
#include <exception>

// What g++ makes of `#pragma omp parallel`, in the runtime that libtorch_cpu brings.
extern "C" {
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);
int omp_get_num_threads();
int omp_get_thread_num();
}

namespace fathom {

namespace {

struct Region {
  std::int64_t first, last, grain;
  const std::function<void(std::int64_t, std::int64_t)>& work;
  std::atomic_flag failed = ATOMIC_FLAG_INIT;
  std::exception_ptr failure;
};

std::int64_t partsOf(std::int64_t count, std::int64_t size) {
  return (count + size - 1) / size;
}

void runPart(void* data) {
  Region& region = *static_cast<Region*>(data);
  const std::int64_t count = region.last - region.first;
  const std::int64_t threads =
      std::min<std::int64_t>(omp_get_num_threads(), partsOf(count, std::max<std::int64_t>(region.grain, 1)));
  const std::int64_t size = partsOf(count, threads), begin = region.first + omp_get_thread_num() * size;
  if (begin >= region.last) return;
  try {
    const at::internal::ThreadIdGuard number(omp_get_thread_num());
    const c10::ParallelGuard inside(true);
    region.work(begin, std::min(region.last, begin + size));
  } catch (...) {
    if (!region.failed.test_and_set()) region.failure = std::current_exception();
  }
}

}  // namespace

void parallelFor(std::int64_t first, std::int64_t last, std::int64_t grain,
                 const std::function<void(std::int64_t, std::int64_t)>& work) {
  if (first >= last) return;
  at::internal::lazy_init_num_threads();
  const int threads = at::get_num_threads();
  if (threads == 1 || last - first <= std::max<std::int64_t>(grain, 1) || at::in_parallel_region()) {
    const c10::ParallelGuard inside(true);
    work(first, last);
    return;
  }
  Region region{first, last, grain, work, ATOMIC_FLAG_INIT, {}};
  GOMP_parallel(runPart, &region, static_cast<unsigned>(threads), 0);
  if (region.failure) std::rethrow_exception(region.failure);
}

}  // namespace fathom
