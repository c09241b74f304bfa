// SPDX-License-Identifier: Apache-2.0
// The kernel of doubled_rows.h.
#include "tests/fakes/doubled_rows.h"

#include "core/kernels/device_language.h"

namespace fathom {

namespace {

constexpr unsigned kDoubledThreads = 32;

__global__ void doubledRowsKernel(DoubledRowsCall call) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kDoubledThreads + threadIdx.x;
  if (i < call.count) call.numbers[i] *= 2;
}

int launchDoubledRows(const DoubledRowsCall& call, void* stream) {
  LaunchShape shape;
  shape.threads = kDoubledThreads;
  shape.blocks = (call.count + kDoubledThreads - 1) / kDoubledThreads;
  return launchKernel(doubledRowsKernel, shape, stream, call);
}

const KernelRegistration kDoubledRowsRegistration(kDoubledRowsPass, launchDoubledRows);

}  // namespace

}  // namespace fathom
